import { t } from "@lingui/core/macro";
import { PageSection } from "@patternfly/react-core";
import { useRouteError } from "react-router";
import { ProblemScreen } from "@/ui/Problem";
import { ReloadButton } from "@/ui/Screen";

/** The frame itself failed, or a page's code could not be loaded (after an upgrade the old file names are gone). */
export function RouteFailure() {
  const error = useRouteError();
  return (
    <PageSection isFilled aria-label={t`Problem`}>
      <ProblemScreen error={error} actions={<ReloadButton />} />
    </PageSection>
  );
}
