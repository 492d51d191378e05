import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { ConfigurationJob } from "@/api/types";
import { ProblemBody } from "@/ui/Problem";
import { lookOf, RESYNC } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";

const KINDS: Record<ConfigurationJob["kind"], string> = {
  BACKUP: t`Backup`,
  PUSH: t`Push`,
  ROLLBACK: t`Rollback`,
  ADMIN_STATE: t`Port or card`,
};

export function jobText({ kind, dryRun, fdn, adminState }: ConfigurationJob): string {
  const part = fdn.split(":").slice(2).join(":");
  const switched = adminState === "UP" ? t`Bring up ${part}` : t`Shut down ${part}`;
  const what = kind === "ADMIN_STATE" ? switched : KINDS[kind];
  return dryRun ? t`${what}, dry run` : what;
}

export const isOver = ({ state }: ConfigurationJob): boolean => state === "DONE" || state === "FAILED";

/** A list shows one line, which can be expanded. */
export function JobState({ job, isInList = false }: { job: ConfigurationJob; isInList?: boolean }) {
  return (
    <>
      <span className="vm-labels">
        <StateLabel look={lookOf(RESYNC, job.state)} />
        {job.state === "DONE" && job.changed === false && (
          <span className="vm-quiet">
            <Trans>no changes</Trans>
          </span>
        )}
      </span>
      {job.problem && !isInList && <ProblemBody problem={job.problem} />}
      {job.problem && isInList && (
        <details className="vm-normal">
          <summary>{job.problem.title}</summary>
          <ProblemBody problem={job.problem} />
        </details>
      )}
    </>
  );
}
