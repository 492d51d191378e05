import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button, ClipboardCopy, ClipboardCopyVariant, TextArea } from "@patternfly/react-core";
import UnlinkIcon from "@patternfly/react-icons/dist/esm/icons/unlink-icon";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "react-router";
import { keys } from "@/api/keys";
import type { StackExport } from "@/api/types";
import type { ForgetResult } from "@/features/lifecycle/ForgetDialog";
import { pb } from "@/paths";
import { DataTable } from "@/table/DataTable";
import { download } from "@/ui/download";
import { Empty } from "@/ui/Empty";
import { LinkButton } from "@/ui/LinkButton";
import { Panel } from "@/ui/Panel";
import { Screen } from "@/ui/Screen";

const ROWS = 20;

/** The files as the OpenStack client wants them. */
function filesOf(left: StackExport): [name: string, text: string][] {
  return [
    ["template.yaml", left.template],
    // JSON is YAML.
    ["environment.yaml", JSON.stringify(left.environment, null, 2)],
    ...Object.entries(left.files),
  ];
}

function Resources({ left }: { left: StackExport }) {
  return (
    <Panel title={t`What is in the cloud`} count={left.resources.length}>
      <DataTable
        label={t`What is in the cloud`}
        rows={left.resources}
        rowKey={(row) => row.id}
        columns={[
          { title: t`Name`, isName: true, cell: (row) => row.name || "—", sort: (row) => row.name },
          { title: t`Type`, cell: (row) => row.type, sort: (row) => row.type },
          { title: t`Was`, cell: (row) => row.role, sort: (row) => row.role },
          { title: t`Id`, cell: (row) => <code>{row.id}</code> },
        ]}
      />
    </Panel>
  );
}

function Export({ name, left }: ForgetResult) {
  return (
    <div className="vm-stack">
      <Panel
        title={t`To go on by hand`}
        actions={
          <Button onClick={() => download(`${name}-stack.json`, JSON.stringify(left, null, 2))}>
            <Trans>Download everything</Trans>
          </Button>
        }
      >
        <p className="vm-para">
          <Trans>
            The stack <code>{left.stackName}</code> is still in the cloud. With the files below in a folder, OpenStack
            can be given the same again. Hidden parameters read ******: fill them in.
          </Trans>
        </p>
        <ClipboardCopy
          isReadOnly
          hoverTip={t`Copy`}
          clickTip={t`Copied`}
          variant={ClipboardCopyVariant.inlineCompact}
          isCode
        >
          {`openstack stack update -t template.yaml -e environment.yaml ${left.stackId}`}
        </ClipboardCopy>
      </Panel>
      <Resources left={left} />
      {filesOf(left).map(([name, text]) => (
        <Panel
          key={name}
          title={name}
          actions={
            <Button
              variant="secondary"
              aria-label={t`Download ${name}`}
              onClick={() => download(name, text, "text/yaml")}
            >
              <Trans>Download</Trans>
            </Button>
          }
        >
          <TextArea
            readOnly
            readOnlyVariant="default"
            aria-label={t`Content of ${name}`}
            className="vm-mono"
            resizeOrientation="vertical"
            rows={Math.min(ROWS, text.split("\n").length)}
            value={text}
          />
        </Panel>
      ))}
    </div>
  );
}

/** What was said when an instance was let go of. It is told once, and kept only while this page is open. */
function ForgottenPage() {
  const { id = "" } = useParams();
  const forgotten = useQueryClient().getQueryData<ForgetResult>(keys.forgotten(id));
  return (
    <Screen
      title={forgotten ? t`${forgotten.name} was let go` : t`Let go`}
      crumbs={[{ text: t`VNF instances`, to: pb.instances() }]}
      lead={
        <>
          <Trans>
            It goes on running in the cloud, managed by nobody. Its name is kept here as a{" "}
            <Link to={pb.instance(id)}>VNF instance</Link> that is not instantiated.
          </Trans>
        </>
      }
    >
      {forgotten ? (
        <Export {...forgotten} />
      ) : (
        <Empty
          title={t`This was shown once`}
          icon={UnlinkIcon}
          action={
            <LinkButton to={pb.instances()}>
              <Trans>Go to the VNF instances</Trans>
            </LinkButton>
          }
        >
          <Trans>
            What Heat was last given is not kept in the browser. The stack itself is listed on its cloud&apos;s page,
            under Unclaimed.
          </Trans>
        </Empty>
      )}
    </Screen>
  );
}

export { ForgottenPage as Component };
