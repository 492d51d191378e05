import { Alert, Button } from "@patternfly/react-core";
import TrashIcon from "@patternfly/react-icons/dist/esm/icons/trash-icon";
import UploadIcon from "@patternfly/react-icons/dist/esm/icons/upload-icon";
import { useDropzone } from "react-dropzone";
import { bytes, plural } from "@/ui/format";
import { kindOf, sizeOf, type Chosen } from "./files";

interface Props {
  files: readonly Chosen[];
  disabled: boolean;
  onAdd: (files: readonly File[]) => void;
  onRemove: (path: string) => void;
  onClear: () => void;
}

/** Where files are dropped, folders too; a button does the same by keyboard. */
export function FilesField({ files, disabled, onAdd, onRemove, onClear }: Props) {
  const { getRootProps, getInputProps, isDragActive, open } = useDropzone({
    ...{ onDrop: onAdd, disabled, noClick: true, noKeyboard: true, useFsAccessApi: false },
  });
  return (
    <section aria-label="Files" className="vm-stack">
      <div {...getRootProps({ className: `vm-drop${isDragActive ? " vm-drop-over" : ""}` })}>
        <input {...getInputProps({ "aria-label": "Files of the VNF package" })} />
        <UploadIcon />
        <span>
          {files.length === 0 ? "Drop a zip, a CSAR, or Heat templates with their environment here" : "Drop more here"}
        </span>
        <Button variant="secondary" size="sm" id="onboard-choose" isDisabled={disabled} onClick={open}>
          Choose files…
        </Button>
      </div>
      {files.length > 0 && (
        <>
          <ul className="vm-files" aria-label="Chosen files">
            {files.map(({ path, file }) => (
              <li key={path}>
                <code>{path}</code>
                <span className="vm-quiet vm-number">{bytes(file.size)}</span>
                <Button
                  variant="plain"
                  size="sm"
                  icon={<TrashIcon />}
                  aria-label={`Leave out ${path}`}
                  isDisabled={disabled}
                  onClick={() => onRemove(path)}
                />
              </li>
            ))}
          </ul>
          {files.length > 1 && (
            <p className="vm-quiet">
              {plural(files.length, "file")}, {bytes(sizeOf(files))}.{" "}
              <Button variant="link" isInline isDisabled={disabled} onClick={onClear}>
                Leave out all
              </Button>
            </p>
          )}
        </>
      )}
      {kindOf(files) === "mixed" && (
        <Alert isInline variant="warning" component="h3" title="One archive, or loose files: not both">
          Leave out either the archive or the files beside it.
        </Alert>
      )}
    </section>
  );
}
