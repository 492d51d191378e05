import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button, Form, Modal, ModalBody, ModalFooter, ModalHeader } from "@patternfly/react-core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { keys } from "@/api/keys";
import { q } from "@/api/queries";
import type { ConfigurationJob, NetworkElement } from "@/api/types";
import { CodeArea } from "@/ui/CodeArea";
import { LoadingNote } from "@/ui/LoadingNote";
import { ProblemAlert } from "@/ui/Problem";
import { isOver, JobState } from "./JobState";
import { UnifiedDiff } from "@/ui/UnifiedDiff";

interface Props {
  element: NetworkElement;
  title: string;
  lead: string;
  button: string;
  /** Whether the user types lines; otherwise they are given. */
  withText?: boolean;
  ask: (text: string, dryRun: boolean) => Promise<ConfigurationJob>;
  onClose: () => void;
}

/** The result of a dry run is valid only for the same lines and the same running configuration. */
function useDryRun({ element, ask }: Props) {
  const [tried, setTried] = useState<{ text: string; newest: string | undefined; jobId: string }>();
  const { data: plan } = useQuery(q.configurationPlan(element.id));
  const newest = plan?.latestVersion?.id;
  const run = useMutation({
    mutationFn: async (text: string) => ({ text, newest, jobId: (await ask(text, true)).id }),
    onSuccess: setTried,
  });
  const { data: job, error } = useQuery({
    ...q.configurationJob(element.id, tried?.jobId ?? ""),
    enabled: tried !== undefined,
  });
  return {
    ...{ tried: tried?.text, run, job: tried ? job : undefined },
    isOutdated: tried !== undefined && tried.newest !== newest,
    problem: run.error ?? (tried ? error : null),
  };
}

/** The dialog demands a dry run, which shows the changed lines, before the change. */
export function ChangeDialog(props: Props) {
  const { element, title, lead, button, withText = false, ask, onClose } = props;
  const id = useId();
  const client = useQueryClient();
  const [text, setText] = useState("");
  const { tried, run, job, isOutdated, problem } = useDryRun(props);
  const change = useMutation({
    mutationFn: () => ask(text, false),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: keys.configurationJobs });
      onClose();
    },
  });
  const waiting = run.isPending || (tried !== undefined && !problem && (!job || !isOver(job)));
  const known = job?.state === "DONE" && tried === text && !isOutdated;
  const empty = withText && text.trim() === "";
  return (
    <Modal isOpen variant="large" onClose={onClose} aria-labelledby={id}>
      <ModalHeader title={title} labelId={id} description={lead} />
      <ModalBody>
        <div className="vm-stack">
          {withText && (
            <Form onSubmit={(event) => event.preventDefault()}>
              <CodeArea id={`${id}-text`} label={t`Lines to push`} value={text} onChange={setText} />
            </Form>
          )}
          {(problem ?? change.error) && <ProblemAlert error={problem ?? change.error} level="h2" />}
          {waiting && (
            <LoadingNote>
              <Trans>Dry run on {element.name}…</Trans>
            </LoadingNote>
          )}
          {job && isOver(job) && (
            <section aria-label={t`Dry run`} className="vm-stack-tight">
              <JobState job={job} />
              {job.takesBack === false && (
                <p>
                  <Trans>
                    {element.name} has no automatic rollback: if the change cuts the management connection, it has to be
                    repaired on site.
                  </Trans>
                </p>
              )}
              {job.takesBack && (
                <p className="vm-quiet">
                  <Trans>If the change cuts the connection to {element.name}, it is rolled back automatically.</Trans>
                </p>
              )}
              {job.diff && <UnifiedDiff text={job.diff} label={t`Changes`} />}
              {isOutdated && (
                <p className="vm-quiet">
                  <Trans>The configuration of the element has changed since: run it again.</Trans>
                </p>
              )}
              {tried !== text && (
                <p className="vm-quiet">
                  <Trans>The lines have changed since: run it again.</Trans>
                </p>
              )}
            </section>
          )}
        </div>
      </ModalBody>
      <ModalFooter>
        <Button
          variant={known ? "secondary" : "primary"}
          isLoading={waiting}
          isDisabled={waiting || empty || change.isPending}
          onClick={() => run.mutate(text)}
        >
          <Trans>Dry run</Trans>
        </Button>
        <Button
          variant={known ? "danger" : "secondary"}
          isDisabled={!known || job.changed === false || change.isPending}
          isLoading={change.isPending}
          onClick={() => change.mutate()}
        >
          {button}
        </Button>
        <Button variant="link" onClick={onClose}>
          <Trans>Cancel</Trans>
        </Button>
      </ModalFooter>
    </Modal>
  );
}
