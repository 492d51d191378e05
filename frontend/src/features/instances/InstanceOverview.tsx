import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { q } from "@/api/queries";
import type { Flavour, NetworkElement, VnfInstance } from "@/api/types";
import { AlarmBadge, alarmCountsOf } from "@/features/faults/AlarmBadge";
import { levelText, vmsOf } from "@/features/lifecycle/scaleSteps";
import { useFlavour } from "@/features/lifecycle/useFlavour";
import { pb } from "@/paths";
import { BadConditions } from "@/ui/Conditions";
import { CopyMenu } from "@/ui/Copy";
import type { Fact } from "@/ui/Facts";
import { vnfdTitle } from "@/ui/names";
import { operationText } from "@/ui/operationText";
import { isAsDesired, lookOf, OPERATION_STATE } from "@/ui/states";
import { Ago } from "@/ui/Time";

function vnfcWords({ vnfcs }: VnfInstance): string {
  if (vnfcs.length === 0) return t`none`;
  const unknown = vnfcs.filter(({ status }) => status === "UNKNOWN").length;
  const differing = vnfcs.filter(({ status, desired }) => !isAsDesired(status, desired)).length;
  const fine = vnfcs.length - differing - unknown;
  const known = t`${fine} of ${vnfcs.length} in desired state`;
  return unknown > 0 ? `${known}, ${t`${unknown} unknown`}` : known;
}

/** "2 of 20 VMs, level 1" for each aspect; unknown while the VNFD is. */
const scaleFacts = ({ scale, vnfcs }: VnfInstance, flavour: Flavour | undefined): Fact[] =>
  scale.map((aspect): Fact => [aspect.name, levelText(aspect, vmsOf(aspect, vnfcs, flavour))]);

/** An instance without an element shows the addresses of its ports on the management link. */
function managementText({ networks, vnfcs }: VnfInstance, elements: readonly NetworkElement[] | undefined): string {
  const known = elements?.map(({ managementAddress }) => managementAddress) ?? [];
  if (known.length > 0) return known.join(", ");
  const link = networks.find(({ vlId }) => /management|mgmt|oam/i.test(vlId));
  const ports = vnfcs.flatMap((vnfc) => vnfc.ports).filter(({ networkId }) => networkId === link?.id);
  return ports.find(({ ipAddresses }) => ipAddresses.length > 0)?.ipAddresses[0] ?? "—";
}

function ElementLinks({ elements, isError }: { elements: readonly NetworkElement[] | undefined; isError: boolean }) {
  if (!elements) return <>{isError ? t`unknown` : "…"}</>;
  if (elements.length === 0) return <>{t`none`}</>;
  return elements.map(({ id, name }) => (
    <Link key={id} to={pb.element(id)}>
      {name}{" "}
    </Link>
  ));
}

function LastOperation({ instance }: { instance: VnfInstance }) {
  const { data, isError } = useQuery(q.opOccsOf(instance.id));
  if (!data) return <>{isError ? t`unknown` : "…"}</>;
  const last = [...data].sort((a, b) => b.startTime.localeCompare(a.startTime))[0];
  if (!last) return <>{t`none`}</>;
  const { color, icon: Icon, moving, text } = lookOf(OPERATION_STATE, last.operationState);
  return (
    <span title={`${operationText(last)}: ${text.toLowerCase()}`}>
      <span className={`vm-state-icon vm-color-${color}${moving ? " vm-moving" : ""}`}>
        <Icon />
      </span>{" "}
      <Link to={pb.operation(instance.id, last.id)}>{operationText(last)}</Link>{" "}
      <span className="vm-quiet">{text.toLowerCase()}</span>
    </span>
  );
}

export function InstanceOverview({ instance }: { instance: VnfInstance }) {
  const counts = alarmCountsOf(useQuery(q.alarmCounts({ managedObjectId: instance.id })));
  const elements = useQuery(q.elementsOf(instance.id));
  const { data: etsi } = useQuery(q.etsiVnfInstance(instance.id));
  const { vnfd, flavour } = useFlavour(instance);
  const { data: vim } = useQuery({ ...q.vim(instance.vimId ?? ""), enabled: instance.vimId !== null });
  const facts: Fact[] = [
    [
      "VNF",
      vnfd ? (
        <Link key="vnf" to={pb.vnfPackage(vnfd.packageId)}>
          {vnfdTitle(vnfd)}
        </Link>
      ) : (
        "…"
      ),
    ],
    [
      t`Cloud`,
      vim ? (
        <Link key="cloud" to={pb.vim(vim.id)}>
          {vim.name}
        </Link>
      ) : (
        "—"
      ),
    ],
    [t`Alarms`, <AlarmBadge key="alarms" objectId={instance.id} counts={counts(instance.id)} />],
    ["VNFCs", vnfcWords(instance)],
    [t`Deployment flavour`, etsi?.instantiatedVnfInfo?.flavourId ?? "—"],
    ...scaleFacts(instance, flavour),
    [t`Management address`, managementText(instance, elements.data)],
    [t`Network element`, <ElementLinks key="elements" elements={elements.data} isError={elements.isError} />],
    [t`Last operation`, <LastOperation key="last" instance={instance} />],
    ...(instance.description ? [[t`Description`, instance.description] satisfies Fact] : []),
    [t`Created`, <Ago key="created" at={instance.createdAt} />],
    [
      t`Ids`,
      <CopyMenu
        key="ids"
        text={t`Copy an id`}
        items={[
          { label: t`VNF instance id`, value: instance.id },
          { label: t`VNFD id`, value: instance.vnfdId },
        ]}
      />,
    ],
  ];
  return (
    <section aria-label={t`Summary`} className="vm-strip">
      <BadConditions conditions={instance.conditions} />
      <dl className="vm-strip-facts">
        {facts.map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
