import { plural, t } from "@lingui/core/macro";
import { useContext } from "react";
import type { FieldSpec } from "@/records/fields";
import { RecordDialog } from "@/records/RecordDialog";
import { SessionContext } from "@/ui/rights";

const FIELDS: readonly FieldSpec[] = [
  { kind: "text", name: "assignedTo", label: t`Assigned to`, help: t`User name. Empty: unassigned.` },
];

interface Props {
  count: number;
  save: (assignedTo: string) => Promise<unknown>;
  onSaved: () => void;
  onClose: () => void;
}

/** Proposes the current user. */
export function AssignDialog({ count, save, onSaved, onClose }: Props) {
  const who = useContext(SessionContext);
  return (
    <RecordDialog
      title={t`Assign ${plural(count, { one: "# alarm", other: "# alarms" })}`}
      button={t`Assign`}
      fields={FIELDS}
      initial={{ assignedTo: who?.username ?? "" }}
      isNew
      save={({ assignedTo }) => save(String(assignedTo))}
      onSaved={onSaved}
      onClose={onClose}
    />
  );
}
