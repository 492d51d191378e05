import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Badge } from "@patternfly/react-core";
import { useQuery, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate, useParams } from "react-router";
import { vimDelete } from "@/api/calls";
import { keys } from "@/api/keys";
import { noteDeleted } from "@/api/live";
import { q } from "@/api/queries";
import type { Vim } from "@/api/types";
import { Access, CAPABILITIES, Pairs, Quotas, Resources, SERVICES } from "@/features/clouds/cloudPanels";
import { UnclaimedTab } from "@/features/clouds/UnclaimedTab";
import { WatchTab } from "@/features/clouds/WatchTab";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { pb } from "@/paths";
import { ChangeButton } from "@/ui/ActionButton";
import { ConditionList } from "@/ui/Conditions";
import { LinkButton } from "@/ui/LinkButton";
import { PageTabs } from "@/ui/PageTabs";
import { Panel } from "@/ui/Panel";
import { Screen } from "@/ui/Screen";
import { Ago } from "@/ui/Time";
import { ProbeButton } from "./CloudsPage";

function Overview({ vim }: { vim: Vim }) {
  return (
    <div className="vm-stack">
      <Panel title={t`Conditions`}>
        <ConditionList conditions={vim.conditions} />
      </Panel>
      <div className="vm-columns">
        <Access vim={vim} />
        <Quotas vim={vim} />
        <Pairs title={t`Service versions`} record={vim.versions} words={SERVICES} head={[t`Service`, t`Version`]} />
        <Pairs
          title={t`Capabilities`}
          record={vim.capabilities}
          words={CAPABILITIES}
          since={vim.capabilitiesSince}
          head={[t`Capability`, t`Found`]}
        />
      </div>
      <Resources vim={vim} />
    </div>
  );
}

function UnclaimedTitle({ vim }: { vim: Vim }) {
  const { data } = useQuery(q.unclaimed(vim.id));
  const ours = data?.filter((row) => row.ours && row.removal.state !== "REMOVED").length ?? 0;
  return (
    <>
      <Trans>Orphaned resources</Trans>
      {ours > 0 && (
        <Badge className="vm-count" screenReaderText={t`unclaimed`}>
          {ours}
        </Badge>
      )}
    </>
  );
}

function Parts({ vim }: { vim: Vim }) {
  return (
    <PageTabs
      label={t`Parts of the cloud`}
      parts={[
        { key: "overview", title: t`Overview`, content: () => <Overview vim={vim} /> },
        { key: "watch", title: t`Monitoring`, content: () => <WatchTab vim={vim} /> },
        { key: "unclaimed", title: <UnclaimedTitle vim={vim} />, content: () => <UnclaimedTab vim={vim} /> },
      ]}
    />
  );
}

function CloudPage() {
  const { id = "" } = useParams();
  const { data: vim } = useSuspenseQuery(q.vim(id));
  const navigate = useNavigate();
  const client = useQueryClient();
  const [deleting, setDeleting] = useState(false);
  return (
    <Screen
      title={vim.name}
      crumbs={[{ text: t`Clouds`, to: pb.vims() }]}
      lead={
        <>
          {vim.description}{" "}
          {vim.probedAt && (
            <>
              <Trans>
                Probed <Ago at={vim.probedAt} />.
              </Trans>
            </>
          )}
        </>
      }
      actions={
        <>
          <ProbeButton vim={vim} />
          <LinkButton needs="admin" to={pb.vimEdit(vim.id)} variant="secondary">
            <Trans>Edit</Trans>
          </LinkButton>
          <ChangeButton needs="admin" variant="secondary" isDanger onClick={() => setDeleting(true)}>
            <Trans>Delete</Trans>
          </ChangeButton>
        </>
      }
    >
      <Parts vim={vim} />
      {deleting && (
        <ConfirmDialog
          title={t`Delete ${vim.name}`}
          button={t`Delete`}
          run={async () => {
            await vimDelete(vim.id);
            noteDeleted(client, vim.id);
          }}
          onDone={() => {
            void client.invalidateQueries({ queryKey: keys.vims });
            void navigate(pb.vims());
          }}
          onClose={() => setDeleting(false)}
        >
          <Trans>
            The cloud and its credentials are removed from the VNF manager; the cloud itself is not touched. A cloud
            with VNF instances cannot be removed.
          </Trans>
        </ConfirmDialog>
      )}
    </Screen>
  );
}

export { CloudPage as Component };
