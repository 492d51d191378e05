import type { ConfigurationJob } from "@/api/types";
import { ProblemBody } from "@/ui/Problem";
import { lookOf, RESYNC } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";

const KINDS: Record<ConfigurationJob["kind"], string> = {
  BACKUP: "Backup",
  PUSH: "Push",
  ROLLBACK: "Rollback",
  ADMIN_STATE: "Port or card",
};

export function jobText({ kind, dryRun, fdn, adminState }: ConfigurationJob): string {
  const part = fdn.split(":").slice(2).join(":");
  const what = kind === "ADMIN_STATE" ? `${adminState === "UP" ? "Bring up" : "Shut down"} ${part}` : KINDS[kind];
  return dryRun ? `${what}, dry run` : what;
}

export const isOver = ({ state }: ConfigurationJob): boolean => state === "DONE" || state === "FAILED";

/** How far a job is, and what stood in its way. */
export function JobState({ job }: { job: ConfigurationJob }) {
  return (
    <>
      <span className="vm-labels">
        <StateLabel look={lookOf(RESYNC, job.state)} />
        {job.state === "DONE" && job.changed === false && <span className="vm-quiet">nothing to change</span>}
      </span>
      {job.problem && <ProblemBody problem={job.problem} />}
    </>
  );
}
