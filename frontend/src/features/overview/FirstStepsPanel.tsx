import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button } from "@patternfly/react-core";
import CheckCircleIcon from "@patternfly/react-icons/dist/esm/icons/check-circle-icon";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { frameQueries, type FirstStep } from "@/api/frame";
import { pb } from "@/paths";
import { Panel } from "@/ui/Panel";
import { useFirstStepsUpdate } from "./useFirstSteps";

interface Suggestion {
  text: string;
  to: string;
  hint: string;
}

/** `id` and `object` identify an object on which the step can be tried; "" if there is none. */
const SUGGESTIONS: Record<FirstStep["name"], (id: string, object: string) => Suggestion> = {
  VIEW_ELEMENT: (id, object) =>
    id
      ? { text: t`Look at a router`, to: pb.element(id), hint: t`${object}: cards, ports and neighbours.` }
      : { text: t`Look at a router`, to: pb.elements(), hint: t`Register or discover one first.` },
  INSTANTIATE: (id, object) => ({
    text: t`Instantiate a VNF`,
    to: id ? pb.instantiate(id) : pb.catalog(),
    hint: object ? t`${object}: every setting has a default.` : t`Choose one in the catalog.`,
  }),
  MANAGE_VNF: (id, object) => ({
    text: t`See its router managed`,
    to: id ? pb.element(id) : pb.elements(),
    hint: object ? t`${object}: each VM is a card of it.` : t`Its VMs become cards of one router.`,
  }),
  SCALE_OUT: (id, object) => ({
    text: t`Scale out`,
    to: id ? pb.instance(id) : pb.instances(),
    hint: object ? t`${object}: Actions, Scale.` : t`One more data path VM.`,
  }),
  CLEAR_ALARM: (id, object) => ({
    text: t`Raise and clear an alarm`,
    to: id ? pb.element(id) : pb.alarms(),
    hint: object ? t`${object}: shut down port 1/1/1, then bring it up.` : t`Shut down a port, then bring it up.`,
  }),
};

const REGISTER_CLOUD = (): Suggestion => ({
  text: t`Register a cloud`,
  to: pb.vimRegister(),
  hint: t`VNFs are deployed on it.`,
});

function Step({ step, number, hasCloud }: { step: FirstStep; number: number; hasCloud: boolean }) {
  const suggest = step.name === "INSTANTIATE" && !hasCloud ? REGISTER_CLOUD : SUGGESTIONS[step.name];
  const { text, to, hint } = suggest(step.objectId, step.objectName);
  return (
    <li>
      {step.doneAt ? (
        <span className="vm-first-step-mark is-done" role="img" aria-label={t`Done`}>
          <CheckCircleIcon />
        </span>
      ) : (
        <span className="vm-first-step-mark" aria-hidden>
          {number}
        </span>
      )}
      <Link to={to}>{text}</Link>
      <span className="vm-quiet">{hint}</span>
    </li>
  );
}

/** Completed steps are ticked; the user can dismiss the panel. */
export function FirstStepsPanel({ hasCloud }: { hasCloud: boolean }) {
  const { data } = useQuery(frameQueries.firstSteps());
  const { mutate, isPending } = useFirstStepsUpdate();
  if (!data?.shown) return null;
  const done = data.steps.filter(({ doneAt }) => doneAt !== null).length;
  return (
    <Panel
      title={t`First steps`}
      actions={
        <>
          <span className="vm-quiet">
            <Trans>
              {done} of {data.steps.length} done
            </Trans>
          </span>
          <Button variant="link" isInline isDisabled={isPending} onClick={() => mutate({ dismissed: true })}>
            <Trans>Dismiss</Trans>
          </Button>
        </>
      }
    >
      <ol className="vm-first-steps" aria-label={t`First steps`}>
        {data.steps.map((step, index) => (
          <Step key={step.name} step={step} number={index + 1} hasCloud={hasCloud} />
        ))}
      </ol>
    </Panel>
  );
}
