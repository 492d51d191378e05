import { t } from "@lingui/core/macro";
import { RecordDialog } from "@/records/RecordDialog";

interface Props {
  title: string;
  label: string;
  value: string;
  /** The name may be empty. */
  optional?: boolean;
  onSave: (text: string) => Promise<unknown>;
  onClose: () => void;
}

/** The server's limit. */
const MOST = 100;

/** The dialog stays open until the name is stored. */
export const RenameDialog = ({ title, label, value, optional = false, onSave, onClose }: Props) => (
  <RecordDialog
    title={title}
    button={t`Save`}
    fields={[{ kind: "text", name: "name", label, required: !optional, most: MOST }]}
    initial={{ name: value }}
    isNew
    save={({ name }) => onSave(typeof name === "string" ? name : "")}
    onSaved={onClose}
    onClose={onClose}
  />
);
