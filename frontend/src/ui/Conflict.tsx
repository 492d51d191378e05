import { Alert, Button } from "@patternfly/react-core";
import { asProblem } from "@/api/problem";
import { ProblemBody } from "./Problem";

/** Somebody changed meanwhile what was decided about: nothing was done, and it is to be looked at again first. */
export function Conflict({ error, onLook }: { error: unknown; onLook: () => void }) {
  return (
    <Alert
      isInline
      variant="warning"
      title="Somebody changed it meanwhile: look again"
      component="h3"
      role="alert"
      className="vm-alert"
    >
      <p>Nothing was done. What you decided on is no longer what is there.</p>
      <ProblemBody problem={{ ...asProblem(error), nextStep: "" }} />
      <Button variant="link" isInline onClick={onLook}>
        Look again
      </Button>
    </Alert>
  );
}
