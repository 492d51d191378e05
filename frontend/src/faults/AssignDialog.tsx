import { useContext } from "react";
import type { FieldSpec } from "@/records/fields";
import { RecordDialog } from "@/records/RecordDialog";
import { plural } from "@/ui/format";
import { WhoContext } from "@/ui/rights";

const FIELDS: readonly FieldSpec[] = [
  { kind: "text", name: "assignedTo", label: "Assigned to", help: "A user. Empty: to nobody." },
];

interface Props {
  count: number;
  save: (assignedTo: string) => Promise<unknown>;
  onSaved: () => void;
  onClose: () => void;
}

/** Asks to whom alarms are given; to oneself, unless somebody else is named. */
export function AssignDialog({ count, save, onSaved, onClose }: Props) {
  const who = useContext(WhoContext);
  return (
    <RecordDialog
      title={`Assign ${plural(count, "alarm")}`}
      button="Assign"
      fields={FIELDS}
      initial={{ assignedTo: who?.username ?? "" }}
      isNew
      save={({ assignedTo }) => save(String(assignedTo))}
      onSaved={onSaved}
      onClose={onClose}
    />
  );
}
