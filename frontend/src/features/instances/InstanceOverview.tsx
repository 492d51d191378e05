import { plural, t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { q } from "@/api/queries";
import type { VnfInstance } from "@/api/types";
import { AlarmBadge, alarmCountsOf } from "@/features/faults/AlarmBadge";
import { pb } from "@/paths";
import { ConditionList } from "@/ui/Conditions";
import { Facts, type Fact } from "@/ui/Facts";
import { Panel } from "@/ui/Panel";
import { isAsDesired } from "@/ui/states";
import { Ago } from "@/ui/Time";

function vnfcWords({ vnfcs }: VnfInstance): string {
  if (vnfcs.length === 0) return t`none`;
  const unknown = vnfcs.filter(({ status }) => status === "UNKNOWN").length;
  const differing = vnfcs.filter(({ status, desired }) => !isAsDesired(status, desired)).length;
  const said = [
    ...(differing > 0 ? [t`${differing} not in desired state`] : []),
    ...(unknown > 0 ? [t`${unknown} unknown`] : []),
  ];
  const many = plural(vnfcs.length, { one: "# VNFC", other: "# VNFCs" });
  return [many, ...(said.length > 0 ? said : [t`all in desired state`])].join(", ");
}

/** How the instance is, before all of its parts: its conditions, and what they hang on. */
export function InstanceOverview({ instance }: { instance: VnfInstance }) {
  const counts = alarmCountsOf(useQuery(q.alarmCounts({ managedObjectId: instance.id })));
  const elements = useQuery(q.elementsOf(instance.id));
  const facts: Fact[] = [
    [t`Alarms`, <AlarmBadge key="alarms" objectId={instance.id} counts={counts(instance.id)} />],
    ["VNFCs", vnfcWords(instance)],
    ...instance.scale.map(({ name, level, maxLevel }): Fact => [name, t`level ${level} of ${maxLevel}`]),
    [
      t`Network element`,
      elements.data
        ? elements.data.length === 0
          ? t`none`
          : elements.data.map(({ id, name }) => (
              <Link key={id} to={pb.element(id)}>
                {name}{" "}
              </Link>
            ))
        : elements.isError
          ? t`unknown`
          : "…",
    ],
    [t`Created`, <Ago key="created" at={instance.createdAt} />],
  ];
  return (
    <Panel title={t`Summary`}>
      <div className="vm-stack">
        {instance.conditions.length > 0 && <ConditionList conditions={instance.conditions} />}
        <Facts facts={facts} />
      </div>
    </Panel>
  );
}
