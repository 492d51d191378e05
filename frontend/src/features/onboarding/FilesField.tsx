import { t } from "@lingui/core/macro";
import { Plural, Trans } from "@lingui/react/macro";
import { Alert, Button } from "@patternfly/react-core";
import TrashIcon from "@patternfly/react-icons/dist/esm/icons/trash-icon";
import UploadIcon from "@patternfly/react-icons/dist/esm/icons/upload-icon";
import { useDropzone } from "react-dropzone";
import { bytes } from "@/ui/format";
import { kindOf, sizeOf, type ChosenFile } from "./files";

interface Props {
  files: readonly ChosenFile[];
  disabled: boolean;
  onAdd: (files: readonly File[]) => void;
  onRemove: (path: string) => void;
  onClear: () => void;
}

/** Users can drop files and folders; a button does the same by keyboard. */
export function FilesField({ files, disabled, onAdd, onRemove, onClear }: Props) {
  const { getRootProps, getInputProps, isDragActive, open } = useDropzone({
    ...{ onDrop: onAdd, disabled, noClick: true, noKeyboard: true, useFsAccessApi: false },
  });
  return (
    <section aria-label={t`Files`} className="vm-stack">
      <div {...getRootProps({ className: `vm-drop${isDragActive ? " vm-drop-over" : ""}` })}>
        <input {...getInputProps({ "aria-label": t`Files of the VNF package` })} />
        <UploadIcon />
        <span>
          {files.length === 0
            ? t`Drop a zip, a CSAR, or Heat templates with their environment here`
            : t`Drop more files here`}
        </span>
        <Button variant="secondary" size="sm" id="onboard-choose" isDisabled={disabled} onClick={open}>
          <Trans>Choose files…</Trans>
        </Button>
      </div>
      {files.length > 0 && (
        <>
          <ul className="vm-files" aria-label={t`Selected files`}>
            {files.map(({ path, file }) => (
              <li key={path}>
                <code>{path}</code>
                <span className="vm-quiet vm-number">{bytes(file.size)}</span>
                <Button
                  variant="plain"
                  size="sm"
                  icon={<TrashIcon />}
                  aria-label={t`Remove ${path}`}
                  isDisabled={disabled}
                  onClick={() => onRemove(path)}
                />
              </li>
            ))}
          </ul>
          {files.length > 1 && (
            <p className="vm-quiet">
              <Trans>
                <Plural value={files.length} one="# file" other="# files" />, {bytes(sizeOf(files))}.
              </Trans>{" "}
              <Button variant="link" isInline isDisabled={disabled} onClick={onClear}>
                <Trans>Remove all</Trans>
              </Button>
            </p>
          )}
        </>
      )}
      {kindOf(files) === "mixed" && (
        <Alert isInline variant="warning" component="h2" title={t`One archive or loose files`}>
          <Trans>Remove either the archive or the other files.</Trans>
        </Alert>
      )}
    </section>
  );
}
