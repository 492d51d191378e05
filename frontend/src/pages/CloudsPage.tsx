import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import CloudIcon from "@patternfly/react-icons/dist/esm/icons/cloud-icon";
import PlusCircleIcon from "@patternfly/react-icons/dist/esm/icons/plus-circle-icon";
import { useMutation, useSuspenseQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Link } from "react-router";
import { vimProbe } from "@/api/calls";
import { q } from "@/api/queries";
import type { Vim } from "@/api/types";
import { pb } from "@/paths";
import { DataTable, type Column } from "@/table/DataTable";
import type { FilterField } from "@/table/ListBar";
import { useListView } from "@/ui/listView";
import { ChangeButton } from "@/ui/ActionButton";
import { ConditionItem, conditionOf } from "@/ui/Conditions";
import { Empty } from "@/ui/Empty";
import { LinkButton } from "@/ui/LinkButton";
import { Screen } from "@/ui/Screen";
import { Ago } from "@/ui/Time";
import { useToast } from "@/ui/toasts";

/** Name of the filter in the address. */
const REACHABLE = "reachable";
const DASH = <span className="vm-quiet">—</span>;

const reachabilityOf = ({ conditions }: Vim): string => conditionOf(conditions, "VimReachable")?.status ?? "Unknown";

function Reachable({ vim }: { vim: Vim }) {
  const condition = conditionOf(vim.conditions, "VimReachable");
  return condition ? <ConditionItem condition={condition} /> : DASH;
}

export function ProbeButton({ vim, size }: { vim: Vim; size?: "sm" }) {
  const toast = useToast();
  const probe = useMutation({
    mutationFn: () => vimProbe(vim.id),
    onSuccess: () => toast({ variant: "info", title: t`Probing ${vim.name}`, body: t`The result appears here.` }),
    onError: (error) => toast({ variant: "danger", title: t`${vim.name} was not probed`, body: error.message }),
  });
  return (
    <ChangeButton
      variant="secondary"
      {...(size ? { size } : {})}
      isLoading={probe.isPending}
      onClick={() => probe.mutate()}
      aria-label={t`Probe now: ${vim.name}`}
    >
      <Trans>Probe now</Trans>
    </ChangeButton>
  );
}

const COLUMNS: Column<Vim>[] = [
  { title: t`Name`, isName: true, sort: (vim) => vim.name, cell: (vim) => <Link to={pb.vim(vim.id)}>{vim.name}</Link> },
  { title: t`Reachability`, width: 40, cell: (vim) => <Reachable vim={vim} /> },
  { title: t`Region`, sort: (vim) => vim.region, cell: (vim) => vim.region || DASH },
  { title: t`Project`, sort: (vim) => vim.projectName, cell: (vim) => vim.projectName },
  {
    title: t`Probed`,
    sort: (vim) => vim.probedAt ?? "",
    cell: (vim) => (vim.probedAt ? <Ago at={vim.probedAt} /> : DASH),
  },
  { title: t`Action`, cell: (vim) => <ProbeButton vim={vim} size="sm" /> },
];

const FIELDS: readonly FilterField[] = [
  {
    name: REACHABLE,
    label: t`Reachability`,
    every: t`Any reachability`,
    options: [
      ["True", t`Reachable`],
      ["False", t`Unreachable`],
      ["Unknown", t`Unknown`],
    ],
  },
];

function CloudsPage() {
  const { data: vims } = useSuspenseQuery(q.vims());
  const view = useListView();
  const reachable = view.get(REACHABLE);
  const shown = useMemo(
    () => vims.filter((vim) => reachable === "" || reachabilityOf(vim) === reachable),
    [vims, reachable],
  );
  const register = (
    <LinkButton needs="admin" to={pb.vimRegister()} icon={<PlusCircleIcon />}>
      <Trans>Register a cloud</Trans>
    </LinkButton>
  );
  return (
    <Screen title={t`Clouds`} actions={register}>
      {vims.length === 0 ? (
        <Empty title={t`No cloud is registered`} icon={CloudIcon} action={register}>
          <Trans>Register an OpenStack cloud with its Keystone URL and the credentials of a project.</Trans>
        </Empty>
      ) : (
        <DataTable
          label={t`Clouds`}
          searchText={({ name, region, projectName }) => `${name} ${region} ${projectName}`}
          rows={shown}
          columns={COLUMNS}
          rowKey={(vim) => vim.id}
          initialSort={{ column: 0, direction: "asc" }}
          filters={{ view, fields: FIELDS }}
        />
      )}
    </Screen>
  );
}

export { CloudsPage as Component };
