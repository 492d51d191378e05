import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { TreeView, type TreeViewDataItem } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { packageFileHref } from "@/api/calls";
import { q } from "@/api/queries";
import type { PackageFile } from "@/api/types";
import { useAddress } from "@/ui/address";
import { CodeArea } from "@/ui/CodeArea";
import { bytes } from "@/ui/format";
import { Panel } from "@/ui/Panel";
import { LoadingNote } from "@/ui/LoadingNote";
import { ProblemAlert } from "@/ui/Problem";

/** Bytes. A larger file can only be downloaded. */
const MAX_PREVIEW_BYTES = 1024 * 1024;
const FIRST = ["README.md", "vnfd.yaml"];

/** Folders come before files. */
function treeOf(files: readonly PackageFile[], below = ""): TreeViewDataItem[] {
  const inside = Map.groupBy(files, ({ path }) => {
    const [head, ...rest] = path.slice(below.length).split("/");
    return rest.length > 0 ? `${head ?? ""}/` : "";
  });
  const folders = [...inside].filter(([folder]) => folder !== "");
  return [
    ...folders.map(([folder, of]) => ({
      id: below + folder,
      name: folder,
      defaultExpanded: true,
      children: treeOf(of, below + folder),
    })),
    ...(inside.get("") ?? []).map((file) => ({
      id: file.path,
      name: (
        <span className="vm-tree-file">
          {file.path.slice(below.length)} <span className="vm-quiet">{bytes(file.size)}</span>
        </span>
      ),
    })),
  ];
}

function Text({ packageId, file, line }: { packageId: string; file: PackageFile; line: number }) {
  const shown = file.size <= MAX_PREVIEW_BYTES;
  const { data, error } = useQuery({ ...q.packageFile(packageId, file.path), enabled: shown });
  if (!shown)
    return (
      <p className="vm-quiet">
        <Trans>The file is too large to be shown here.</Trans>
      </p>
    );
  if (error && data === undefined) return <ProblemAlert error={error} />;
  if (data === undefined)
    return (
      <LoadingNote>
        <Trans>Loading the file…</Trans>
      </LoadingNote>
    );
  if (data === null || data.includes("\0"))
    return (
      <p className="vm-quiet">
        <Trans>This is not a text file.</Trans>
      </p>
    );
  return (
    <CodeArea
      id="package-file-text"
      label={t`Text of ${file.path}`}
      value={data}
      first={line}
      marked={new Set(line > 0 ? [line] : [])}
    />
  );
}

/** The address holds the chosen file and line. */
export function FilesTab({ packageId }: { packageId: string }) {
  const { data: files, error } = useQuery(q.packageFiles(packageId));
  const [params, setAddress] = useAddress();
  if (error && !files) return <ProblemAlert error={error} level="h2" />;
  if (!files)
    return (
      <LoadingNote>
        <Trans>Loading the files…</Trans>
      </LoadingNote>
    );
  const wanted = [params.get("file"), ...FIRST];
  const chosen = wanted.find((each) => files.some(({ path }) => path === each)) ?? files[0]?.path;
  const file = files.find(({ path }) => path === chosen);
  return (
    <div className="vm-files-tab">
      <Panel title={t`Files`} count={files.length}>
        <TreeView
          aria-label={t`Files of the package`}
          data={treeOf(files)}
          activeItems={file ? [{ id: file.path, name: file.path }] : []}
          onSelect={(_event, item) => {
            if (item.id && !item.children) setAddress({ file: item.id, line: "" });
          }}
        />
      </Panel>
      {file && (
        <Panel
          title={file.path}
          actions={
            <a href={packageFileHref(packageId, file.path)} download>
              <Trans>Download</Trans>
            </a>
          }
        >
          <p className="vm-quiet">
            <Trans>
              {bytes(file.size)} · SHA-256 <code>{file.sha256}</code>
            </Trans>
          </p>
          <Text key={file.path} packageId={packageId} file={file} line={Number(params.get("line") ?? 0)} />
        </Panel>
      )}
    </div>
  );
}
