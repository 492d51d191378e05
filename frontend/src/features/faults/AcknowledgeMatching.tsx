import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { alarmCount, alarmsChange } from "@/api/callsFaults";
import { keys } from "@/api/keys";
import { asProblem } from "@/api/problem";
import type { AlarmMatchQuery } from "@/api/types";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { RefusedDialog } from "@/ui/RefusedDialog";
import { useDisabledReason } from "@/ui/rights";
import { useToast } from "@/ui/toasts";
import { QUESTIONS, resultToast } from "./BulkMatching";

interface Props {
  query: AlarmMatchQuery;
  onClose: () => void;
}

/** The dialog says how many alarms match; alarms that are raised later are not changed. */
export function AcknowledgeMatching({ query, onClose }: Props) {
  const client = useQueryClient();
  const toast = useToast();
  const role = useDisabledReason();
  const { data: found, error } = useQuery({
    queryKey: ["alarms to acknowledge", query],
    queryFn: () => alarmCount(query),
    enabled: role === undefined,
    gcTime: 0,
    staleTime: Infinity,
  });
  const refused = (reason: string) => (
    <RefusedDialog title={t`Acknowledge all alarms`} reason={reason} onClose={onClose} />
  );
  if (role !== undefined) return refused(role);
  if (error) return refused(asProblem(error).detail);
  if (!found) return null;
  if (found.count === 0) return refused(t`No active alarm here is unacknowledged.`);
  if (found.isMore) return refused(t`More alarms match than one request can change. Narrow the filters and repeat.`);
  return (
    <ConfirmDialog
      title={QUESTIONS.ACKNOWLEDGE.title(found.count)}
      button={QUESTIONS.ACKNOWLEDGE.button(found.count)}
      danger={false}
      run={async () => {
        const { asOf, count } = found;
        toast(resultToast("ACKNOWLEDGE", await alarmsChange(query, { action: "ACKNOWLEDGE", asOf, confirmed: count })));
      }}
      onDone={() => {
        onClose();
        return client.invalidateQueries({ queryKey: keys.alarms });
      }}
      onClose={onClose}
    >
      <Trans>All alarms that match the filters, on all pages. Alarms raised after the count are not changed.</Trans>
    </ConfirmDialog>
  );
}
