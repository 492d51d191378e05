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

/** The OpenStack client reads these files. */
function filesOf(left: StackExport): [name: string, text: string][] {
  return [
    ["template.yaml", left.template],
    // JSON is valid YAML.
    ["environment.yaml", JSON.stringify(left.environment, null, 2)],
    ...Object.entries(left.files),
  ];
}

function Resources({ left }: { left: StackExport }) {
  return (
    <Panel title={t`Resources in the cloud`} count={left.resources.length}>
      <DataTable
        label={t`Resources in the cloud`}
        rows={left.resources}
        rowKey={(row) => row.id}
        columns={[
          { title: t`Name`, isName: true, cell: (row) => row.name || "—", sort: (row) => row.name },
          { title: t`Type`, cell: (row) => row.type, sort: (row) => row.type },
          { title: t`Role`, cell: (row) => row.role, sort: (row) => row.role },
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
        title={t`To continue by hand`}
        actions={
          <Button onClick={() => download(`${name}-stack.json`, JSON.stringify(left, null, 2))}>
            <Trans>Download everything</Trans>
          </Button>
        }
      >
        <p className="vm-para">
          <Trans>
            The stack <code>{left.stackName}</code> is still in the cloud. With the files below in one folder you can
            update it with OpenStack. Hidden parameters read ******: fill them in.
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

/** The API returns the result only once, so it exists only while this page is open. */
function ForgottenPage() {
  const { id = "" } = useParams();
  const forgotten = useQueryClient().getQueryData<ForgetResult>(keys.forgotten(id));
  return (
    <Screen
      title={forgotten ? t`${forgotten.name} was forgotten` : t`Forgotten`}
      crumbs={[{ text: t`VNF instances`, to: pb.instances() }]}
      lead={
        <>
          <Trans>
            It keeps running in the cloud, unmanaged. The <Link to={pb.instance(id)}>VNF instance</Link> stays here, not
            instantiated.
          </Trans>
        </>
      }
    >
      {forgotten ? (
        <Export {...forgotten} />
      ) : (
        <Empty
          title={t`No longer available`}
          icon={UnlinkIcon}
          action={
            <LinkButton to={pb.instances()}>
              <Trans>Go to VNF instances</Trans>
            </LinkButton>
          }
        >
          <Trans>
            Templates and parameters are shown once. The stack is listed on the page of its cloud, under Orphaned
            resources.
          </Trans>
        </Empty>
      )}
    </Screen>
  );
}

export { ForgottenPage as Component };
