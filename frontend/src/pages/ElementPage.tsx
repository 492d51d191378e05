import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Badge } from "@patternfly/react-core";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";
import { q } from "@/api/queries";
import type { NetworkElement } from "@/api/types";
import { TrapsTab } from "@/features/configuration/TrapsTab";
import { ElementActions } from "@/features/elements/ElementActions";
import { NeighboursTab } from "@/features/elements/NeighboursTab";
import { partsOf } from "@/features/elements/elementTabs";
import { ResyncState } from "@/features/elements/ResyncState";
import { NotCurrent, ResyncProblem } from "@/features/elements/ElementConditions";
import { Omissions } from "@/features/elements/Omissions";
import { ElementSummary } from "@/features/elements/ElementSummary";
import { BgpTab, FactsTab } from "@/features/elements/ElementTables";
import { useElementViewed } from "@/features/overview/useFirstSteps";
import { AlarmsOf } from "@/features/faults/AlarmList";
import { pb } from "@/paths";
import { BadConditions, GoodConditions } from "@/ui/Conditions";
import { LinkButton } from "@/ui/LinkButton";
import { PageTabs } from "@/ui/PageTabs";
import { Screen } from "@/ui/Screen";
import { ELEMENT_STATE, lookOf, SEVERITIES } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { Ago } from "@/ui/Time";

function AlarmsTitle({ element }: { element: NetworkElement }) {
  const { data } = useQuery(q.alarmCounts({ managedObjectId: element.id }));
  const counts = data?.[0];
  const open = counts
    ? SEVERITIES.reduce((sum, severity) => sum + (severity === "CLEARED" ? 0 : counts[severity]), 0)
    : 0;
  return (
    <>
      <Trans>Alarms</Trans>
      {open > 0 && (
        <Badge className="vm-count" screenReaderText={t`open`}>
          {open}
        </Badge>
      )}
    </>
  );
}

function Parts({ element }: { element: NetworkElement }) {
  const { equipment, interfaces, counters, configuration } = partsOf(element);
  return (
    <PageTabs
      label={t`Parts of the element`}
      parts={[
        equipment,
        { key: "summary", title: t`Summary`, content: () => <ElementSummary element={element} /> },
        interfaces,
        { key: "neighbours", title: t`Neighbours`, content: () => <NeighboursTab element={element} /> },
        { key: "bgp", title: "BGP", content: () => <BgpTab element={element} /> },
        counters,
        configuration,
        { key: "traps", title: t`Traps`, content: () => <TrapsTab element={element} /> },
        { key: "facts", title: t`Facts`, content: () => <FactsTab element={element} /> },
        {
          key: "alarms",
          title: <AlarmsTitle element={element} />,
          content: () => <AlarmsOf objectId={element.id} label={t`Alarms of ${element.name}`} />,
        },
      ]}
    />
  );
}

function Lead({ element }: { element: NetworkElement }) {
  const words = [element.chassisType, element.softwareVersion, element.managementAddress, element.siteName];
  return (
    <span className="vm-labels">
      {words.filter(Boolean).join(" · ")}
      {element.vnfInstanceId && (
        <span>
          <Trans>
            · VNF instance <Link to={pb.instance(element.vnfInstanceId)}>{element.vnfInstanceName}</Link>
          </Trans>
        </span>
      )}
      {element.resync.state === "DONE" && element.resync.lastFullAt ? (
        <span>
          <Trans>
            · Last full resync <Ago at={element.resync.lastFullAt} />
          </Trans>
        </span>
      ) : (
        <>
          <span>
            <Trans>· Resync</Trans>
          </span>
          <ResyncState element={element} />
        </>
      )}
    </span>
  );
}

function ElementPage() {
  const { id = "" } = useParams();
  const { data: element } = useSuspenseQuery(q.element(id));
  useElementViewed();
  return (
    <Screen
      title={element.name}
      crumbs={[{ text: t`Elements`, to: pb.elements() }]}
      labels={
        <>
          <StateLabel look={lookOf(ELEMENT_STATE, element.state)} />
          <GoodConditions conditions={element.conditions} />
        </>
      }
      lead={<Lead element={element} />}
      actions={
        <ElementActions
          element={element}
          extra={
            <LinkButton variant="secondary" to={pb.onMap("element", element.id)}>
              <Trans>Show on the map</Trans>
            </LinkButton>
          }
        />
      }
    >
      <div className="vm-stack">
        <BadConditions conditions={element.conditions} />
        <ResyncProblem element={element} />
        <NotCurrent element={element} />
        <Omissions element={element} />
        <Parts key={element.id} element={element} />
      </div>
    </Screen>
  );
}

export { ElementPage as Component };
