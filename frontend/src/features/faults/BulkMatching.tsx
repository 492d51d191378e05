import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Alert, Button } from "@patternfly/react-core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { alarmCount, alarmsChange } from "@/api/callsFaults";
import { keys } from "@/api/keys";
import type { AlarmCount, AlarmMatch, AlarmMatchAnswer, AlarmMatchQuery } from "@/api/types";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { ChangeButton } from "@/ui/ActionButton";
import { number } from "@/ui/format";
import { ProblemAlert } from "@/ui/Problem";
import { useToast } from "@/ui/toasts";
import { AssignDialog } from "./AssignDialog";
import { acknowledged, assigned, unacknowledged } from "./actionMessages";

type Action = AlarmMatch["action"];
type Words = (count: number) => string;
const ACTIONS: Record<Action, { button: Words; done: Words }> = {
  ACKNOWLEDGE: { button: (count) => t`Acknowledge all ${number(count)}`, done: acknowledged },
  UNACKNOWLEDGE: { button: (count) => t`Unacknowledge all ${number(count)}`, done: unacknowledged },
  ASSIGN: { button: (count) => t`Assign all ${number(count)}`, done: assigned },
};
/** Assigning has a dialog of its own. */
export const QUESTIONS: Record<Exclude<Action, "ASSIGN">, { title: Words; button: Words }> = {
  ACKNOWLEDGE: {
    title: (count) => t`Acknowledge all ${alarmsText(count)} that match`,
    button: (count) => t`Acknowledge ${alarmsText(count)}`,
  },
  UNACKNOWLEDGE: {
    title: (count) => t`Unacknowledge all ${alarmsText(count)} that match`,
    button: (count) => t`Unacknowledge ${alarmsText(count)}`,
  },
};

/** "1,234 alarms" */
const alarmsText = (count: number): string => plural(count, { one: "# alarm", other: "# alarms" });

export function resultToast(action: Action, { done, matched }: AlarmMatchAnswer) {
  const rest = matched - done;
  return {
    variant: "success" as const,
    title: ACTIONS[action].done(done),
    ...(rest > 0 ? { body: t`Unchanged: ${alarmsText(rest)}, already in this state or no longer matching.` } : {}),
  };
}

interface Props {
  /** The query of the list; the action applies to all alarms that match it. */
  query: AlarmMatchQuery;
  onDone: () => void;
}

/**
 * Extends a selection of one page to all matching alarms. They are counted first, and later alarms are not changed.
 */
export function BulkMatching({ query, onDone }: Props) {
  const client = useQueryClient();
  const toast = useToast();
  const [doing, setDoing] = useState<Action>();
  const counting = useMutation({ mutationFn: () => alarmCount(query) });
  const { data: found } = counting;
  async function act(action: Action, { count, asOf }: AlarmCount, assignedTo?: string): Promise<void> {
    const given = assignedTo === undefined ? {} : { assignedTo };
    const answer = await alarmsChange(query, { action, asOf, confirmed: count, ...given });
    toast(resultToast(action, answer));
  }
  function end() {
    setDoing(undefined);
    onDone();
    void client.invalidateQueries({ queryKey: keys.alarms });
  }
  /** The count may be outdated: the next dialog counts again. */
  function close() {
    setDoing(undefined);
    counting.reset();
  }
  if (!found) {
    return (
      <div className="vm-bulk">
        <span>
          <Trans>All alarms on this page are selected.</Trans>
        </span>
        <Button
          variant="link"
          isInline
          isLoading={counting.isPending}
          onClick={() => !counting.isPending && counting.mutate()}
        >
          <Trans>Select all that match</Trans>
        </Button>
        {counting.isError && <ProblemAlert error={counting.error} />}
      </div>
    );
  }
  if (found.isMore) {
    return (
      <Alert
        isInline
        variant="warning"
        component="h2"
        className="vm-alert"
        title={t`More than ${alarmsText(found.limit)} match`}
      >
        <Trans>This is more than one request can change. Narrow the filters and repeat.</Trans>
      </Alert>
    );
  }
  return (
    <div className="vm-bulk" role="group" aria-label={t`All matching alarms`}>
      <strong>
        <Trans>{alarmsText(found.count)} match</Trans>
      </strong>
      <span className="vm-buttons">
        {(Object.keys(ACTIONS) as Action[]).map((action) => (
          <ChangeButton
            key={action}
            variant="secondary"
            size="sm"
            isDisabled={found.count === 0}
            onClick={() => setDoing(action)}
          >
            {ACTIONS[action].button(found.count)}
          </ChangeButton>
        ))}
      </span>
      {doing === "ASSIGN" && (
        <AssignDialog
          count={found.count}
          save={(assignedTo) => act("ASSIGN", found, assignedTo)}
          onSaved={end}
          onClose={close}
        />
      )}
      {doing && doing !== "ASSIGN" && (
        <ConfirmDialog
          title={QUESTIONS[doing].title(found.count)}
          button={QUESTIONS[doing].button(found.count)}
          danger={false}
          run={() => act(doing, found)}
          onDone={end}
          onClose={close}
        >
          <Trans>All alarms that match the filters, on all pages. Alarms raised after the count are not changed.</Trans>
        </ConfirmDialog>
      )}
    </div>
  );
}
