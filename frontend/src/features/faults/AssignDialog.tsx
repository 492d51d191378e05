import { plural, t } from "@lingui/core/macro";
import { useContext } from "react";
import type { FieldSpec } from "@/records/fields";
import { RecordDialog } from "@/records/RecordDialog";
import { SessionContext } from "@/ui/rights";

const FIELDS: readonly FieldSpec[] = [
  { kind: "text", name: "assignedTo", label: t`Assigned to`, help: t`A user. Empty: to nobody.` },
];

interface Props {
  count: number;
  save: (assignedTo: string) => Promise<unknown>;
  onSaved: () => void;
  onClose: () => void;
}

/** Asks to whom alarms are given; to oneself, unless somebody else is named. */
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
