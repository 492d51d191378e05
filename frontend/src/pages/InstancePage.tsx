import { Tab, Tabs, TabTitleText } from "@patternfly/react-core";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { Link, useParams, useSearchParams } from "react-router";
import { q } from "@/api/queries";
import type { VnfInstance } from "@/api/types";
import { pb } from "@/paths";
import { ConditionList } from "@/ui/Conditions";
import { InstanceActions } from "@/instance/InstanceActions";
import { Drift, InstanceAlarms, Networks, Operations, Stack, Vnfcs } from "@/instance/parts";
import { OperationPanel } from "@/instance/OperationPanel";
import { vnfdTitle } from "@/ui/names";
import { Panel } from "@/ui/Panel";
import { Pending } from "@/ui/Pending";
import { Screen } from "@/ui/Screen";
import { INSTANTIATION, lookOf } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";

const Topology = lazy(() => import("@/topology/Topology"));

/** The operation that runs, or the last one while it waits for a decision. */
function CurrentOperation({ instance }: { instance: VnfInstance }) {
  const { data: history } = useQuery(q.opOccsOf(instance.id));
  const undecided = history?.find((occ) => occ.operationState === "FAILED_TEMP");
  const id = instance.runningOpOccId ?? undecided?.id;
  const { data: occ } = useQuery({ ...q.opOcc(id ?? ""), enabled: id !== undefined });
  if (!occ || id === undefined) return null;
  return <OperationPanel occ={occ} link={<Link to={pb.operation(instance.id, occ.id)}>Details</Link>} />;
}

const TABS = ["components", "topology", "operations", "alarms"] as const;

function Parts({ instance }: { instance: VnfInstance }) {
  const [params, setParams] = useSearchParams();
  const asked = params.get("tab") ?? "components";
  return (
    <Tabs
      activeKey={TABS.find((tab) => tab === asked) ?? "components"}
      onSelect={(_event, key) => setParams({ tab: String(key) }, { replace: true, preventScrollReset: true })}
      aria-label="Parts of the VNF instance"
      mountOnEnter
      unmountOnExit
    >
      <Tab eventKey="components" title={<TabTitleText>Components</TabTitleText>}>
        <div className="vm-stack vm-tab">
          <Drift instance={instance} />
          <Vnfcs instance={instance} />
          <Networks instance={instance} />
          <Stack instance={instance} />
        </div>
      </Tab>
      <Tab eventKey="topology" title={<TabTitleText>Topology</TabTitleText>}>
        <div className="vm-tab">
          <Suspense fallback={<Pending>Drawing…</Pending>}>
            <Topology instance={instance} />
          </Suspense>
        </div>
      </Tab>
      <Tab eventKey="operations" title={<TabTitleText>Operations</TabTitleText>}>
        <div className="vm-tab">
          <Operations instance={instance} />
        </div>
      </Tab>
      <Tab eventKey="alarms" title={<TabTitleText>Alarms</TabTitleText>}>
        <div className="vm-tab">
          <InstanceAlarms instance={instance} />
        </div>
      </Tab>
    </Tabs>
  );
}

function Lead({ instance }: { instance: VnfInstance }) {
  const { data: vnfd } = useQuery(q.vnfd(instance.vnfdId));
  const { data: vim } = useQuery({ ...q.vim(instance.vimId ?? ""), enabled: instance.vimId !== null });
  return (
    <>
      {vnfd && <Link to={pb.vnfPackage(vnfd.packageId)}>{vnfdTitle(vnfd)}</Link>}
      {vim && (
        <>
          {" "}
          on <Link to={pb.vim(vim.id)}>{vim.name}</Link>
        </>
      )}
      {instance.description && <> · {instance.description}</>}
    </>
  );
}

export function Component() {
  const { id = "" } = useParams();
  const { data: instance } = useSuspenseQuery(q.vnfInstance(id));
  return (
    <Screen
      title={instance.name}
      crumbs={[{ text: "VNF instances", to: pb.instances() }]}
      labels={<StateLabel look={lookOf(INSTANTIATION, instance.instantiationState)} />}
      lead={<Lead instance={instance} />}
      actions={<InstanceActions instance={instance} />}
    >
      <div className="vm-stack">
        <CurrentOperation instance={instance} />
        {instance.conditions.length > 0 && (
          <Panel title="Conditions">
            <ConditionList conditions={instance.conditions} />
          </Panel>
        )}
        <Parts instance={instance} />
      </div>
    </Screen>
  );
}
