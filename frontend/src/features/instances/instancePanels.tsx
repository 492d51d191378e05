import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Tbody, Td, Th, Thead, Tr } from "@patternfly/react-table";
import { useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { q } from "@/api/queries";
import type { OpOccSummary, VnfInstance } from "@/api/types";
import { pb } from "@/paths";
import { DataTable, type Column } from "@/table/DataTable";
import { Facts, type Fact } from "@/ui/Facts";
import { Panel } from "@/ui/Panel";
import { operationText } from "@/ui/operationText";
import { lookOf, OPERATION_STATE } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { Ago, Elapsed } from "@/ui/Time";
import { Table } from "@/ui/Table";

const DASH = <span className="vm-quiet">—</span>;

export function Networks({ instance }: { instance: VnfInstance }) {
  if (instance.networks.length === 0) return null;
  return (
    <Panel title={t`Networks`} count={instance.networks.length}>
      <Table aria-label={t`Networks`}>
        <Thead>
          <Tr>
            <Th>
              <Trans>Network</Trans>
            </Th>
            <Th>
              <Trans>Virtual link</Trans>
            </Th>
            <Th>
              <Trans>Created by</Trans>
            </Th>
            <Th>
              <Trans>Ports</Trans>
            </Th>
          </Tr>
        </Thead>
        <Tbody>
          {instance.networks.map((network) => (
            <Tr key={network.id}>
              <Th scope="row" dataLabel={t`Network`}>
                {network.name}
              </Th>
              <Td dataLabel={t`Virtual link`}>{network.vlId || DASH}</Td>
              <Td dataLabel={t`Created by`}>{network.external ? t`existing` : t`the stack`}</Td>
              <Td dataLabel={t`Ports`}>
                {instance.vnfcs.flatMap((vnfc) => vnfc.ports).filter((port) => port.networkId === network.id).length}
              </Td>
            </Tr>
          ))}
        </Tbody>
      </Table>
    </Panel>
  );
}

export function Stack({ instance }: { instance: VnfInstance }) {
  const { stack } = instance;
  if (!stack) return null;
  const facts: Fact[] = [
    [t`Name`, <code key="name">{stack.name}</code>],
    [t`Id`, <code key="id">{stack.id}</code>],
    [t`Status`, `${stack.status}${stack.statusReason ? `: ${stack.statusReason}` : ""}`],
    [t`Observed`, stack.observedAt ? <Ago key="seen" at={stack.observedAt} /> : "—"],
  ];
  return (
    <Panel title={t`Heat stack`}>
      <Facts facts={facts} />
    </Panel>
  );
}

/** "data-path, 1 step" */
function detailText({ operationParams = {} }: OpOccSummary): string {
  const text = (name: string) => (typeof operationParams[name] === "string" ? operationParams[name] : "");
  const steps = operationParams["numberOfSteps"];
  return [
    text("aspectId"),
    text("flavourId") && t`flavour ${text("flavourId")}`,
    text("newFlavourId") && t`flavour ${text("newFlavourId")}`,
    text("instantiationLevelId") && t`level ${text("instantiationLevelId")}`,
    text("cause"),
    typeof steps === "number" ? plural(steps, { one: "# step", other: "# steps" }) : "",
  ]
    .filter(Boolean)
    .join(", ");
}

const OPERATION_COLUMNS: Column<OpOccSummary>[] = [
  {
    title: t`Operation`,
    isName: true,
    cell: (occ) => <Link to={pb.operation(occ.vnfInstanceId, occ.id)}>{operationText(occ)}</Link>,
    sort: (occ) => occ.operation,
  },
  { title: t`Details`, cell: (occ) => detailText(occ) || DASH },
  {
    title: t`State`,
    cell: (occ) => <StateLabel look={lookOf(OPERATION_STATE, occ.operationState)} />,
    sort: (occ) => occ.operationState,
  },
  { title: t`By`, cell: (occ) => occ.startedBy || DASH, sort: (occ) => occ.startedBy },
  { title: t`Started`, cell: (occ) => <Ago at={occ.startTime} />, sort: (occ) => occ.startTime },
  {
    title: t`Duration`,
    cell: (occ) => {
      const moving = lookOf(OPERATION_STATE, occ.operationState).moving;
      return <Elapsed from={occ.startTime} to={moving ? undefined : occ.stateEnteredTime} />;
    },
  },
  { title: t`Outcome`, cell: (occ) => occ.error?.detail ?? DASH, width: 40 },
];

export function Operations({ instance }: { instance: VnfInstance }) {
  const { data: occs } = useSuspenseQuery(q.opOccsOf(instance.id));
  return (
    <Panel title={t`LCM operations`} count={occs.length}>
      {occs.length === 0 ? (
        <p className="vm-quiet">
          <Trans>No operations yet.</Trans>
        </p>
      ) : (
        <DataTable
          label={t`LCM operations`}
          name="operations"
          rows={occs}
          columns={OPERATION_COLUMNS}
          rowKey={(occ) => occ.id}
          initialSort={{ column: 4, direction: "desc" }}
        />
      )}
    </Panel>
  );
}
