import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Alert } from "@patternfly/react-core";
import EllipsisVIcon from "@patternfly/react-icons/dist/esm/icons/ellipsis-v-icon";
import { ExpandableRowContent, Tbody, Td, Th, Thead, Tr } from "@patternfly/react-table";
import { useState, type RefObject } from "react";
import { Link } from "react-router";
import type { Action, VnfInstance, Vnfc } from "@/api/types";
import { HealDialog } from "@/features/lifecycle/HealDialog";
import { OperateDialog } from "@/features/lifecycle/OperateDialog";
import { pb } from "@/paths";
import { actionOf } from "@/ui/ActionButton";
import { showCut } from "@/table/Cells";
import { useDensity } from "@/table/useTableOptions";
import { ActionMenu } from "@/ui/ActionMenu";
import { Panel } from "@/ui/Panel";
import { StateLabel } from "@/ui/StateLabel";
import { portStatus, SEVERITY, UNPROTECTED } from "@/ui/states";
import { exactTime } from "@/ui/format";
import { Table } from "@/ui/Table";
import { useSelectedVnfcs } from "./selectedVnfcs";
import { ConsoleDrawer, LogDrawer } from "./Console";
import { VnfcStatus } from "@/ui/VnfcStatus";
import { alarmText, alarmWords, useVnfcAlarms, type VnfcAlarms } from "./vnfcAlarms";

const DASH = <span className="vm-quiet">—</span>;
const COLUMNS = 10;

const VNFC_ACTIONS = {
  console: t`Console`,
  log: t`Log`,
  heal: t`Heal`,
  start: t`Start`,
  stop: t`Stop`,
} as const;
type VnfcAction = keyof typeof VNFC_ACTIONS;

function Ports({ vnfc, networks }: { vnfc: Vnfc; networks: VnfInstance["networks"] }) {
  return (
    <Table aria-label={t`Ports of ${vnfc.name}`} borders={false} isNested>
      <Thead>
        <Tr>
          <Th modifier="nowrap">
            <Trans>Connection point</Trans>
          </Th>
          <Th>
            <Trans>Network</Trans>
          </Th>
          <Th>
            <Trans>Addresses</Trans>
          </Th>
          <Th>
            <Trans>MAC</Trans>
          </Th>
          <Th>
            <Trans>vNIC</Trans>
          </Th>
          <Th>
            <Trans>Status</Trans>
          </Th>
        </Tr>
      </Thead>
      <Tbody>
        {vnfc.ports.map((port) => (
          <Tr key={port.id}>
            <Td dataLabel={t`Connection point`}>{port.cpId || DASH}</Td>
            <Td dataLabel={t`Network`}>
              {networks.find((each) => each.id === port.networkId)?.name ?? port.networkId}
            </Td>
            <Td dataLabel={t`Addresses`}>{port.ipAddresses.join(", ") || DASH}</Td>
            <Td dataLabel={t`MAC`}>
              <code>{port.macAddress || "—"}</code>
            </Td>
            <Td dataLabel="vNIC">{port.vnicType || DASH}</Td>
            <Td dataLabel={t`Status`}>
              <StateLabel look={portStatus(port.status)} />
            </Td>
          </Tr>
        ))}
      </Tbody>
    </Table>
  );
}

/** Links to the open alarms of this VNFC. */
export function VnfcAlarmBadge({ instanceId, vnfc, alarms }: { instanceId: string; vnfc: Vnfc; alarms: VnfcAlarms }) {
  if (alarms === "READING") return <span className="vm-quiet">…</span>;
  if (alarms === "UNKNOWN")
    return (
      <span className="vm-quiet">
        <Trans>unknown</Trans>
      </span>
    );
  if (!alarms.worst)
    return (
      <span className="vm-quiet">
        <Trans>None</Trans>
      </span>
    );
  const look = SEVERITY[alarms.worst];
  const text = alarmText(alarms, alarms.worst);
  return (
    <Link
      to={pb.alarmsAt(instanceId, vnfc.name)}
      aria-label={t`${text}: ${alarmWords(alarms)} of ${vnfc.name}, worst ${look.text.toLowerCase()}`}
    >
      <StateLabel look={{ ...look, text }} />
    </Link>
  );
}

const PAIR_ROLE: Record<Exclude<Vnfc["pairRole"], "">, string> = { working: t`Working`, protect: t`Protect` };

interface OfPair {
  vnfc: Vnfc;
  vnfcs: readonly Vnfc[];
}

const mateOf = ({ vnfc, vnfcs }: OfPair): Vnfc | undefined =>
  vnfcs.find((each) => each.vduId === vnfc.vduId && each.slot === vnfc.mateSlot);

/** In a pair (1+1) this is the role at creation, with the mate. */
function roleText(pair: OfPair): string {
  if (pair.vnfc.pairRole === "") return "";
  const [role, mate] = [PAIR_ROLE[pair.vnfc.pairRole], mateOf(pair)];
  return mate ? t`${role}, with slot ${mate.slot}` : role;
}

function Pair(pair: OfPair) {
  const role = roleText(pair);
  if (role === "") return null;
  const mate = mateOf(pair);
  const isProtected = mate?.status === "ACTIVE" || mate?.status === "UNKNOWN";
  if (isProtected) return <span className="vm-quiet">{role}</span>;
  return <StateLabel look={UNPROTECTED} title={role} />;
}

const enabled = (action: string): Action => ({ action, enabled: true, disabledReason: "" });
const disabled = (action: string, disabledReason: string): Action => ({ action, enabled: false, disabledReason });

/** The action table does not know whether the cloud offers a console. */
function vnfcActionsOf(instance: VnfInstance, vnfc: Vnfc): Record<VnfcAction, Action> {
  const needed = (name: string) => actionOf(instance.actions, name) ?? disabled(name, t`Not possible now.`);
  const operate = needed("operate");
  return {
    console: enabled("console"),
    log: enabled("log"),
    heal: needed("heal"),
    start:
      operate.enabled && vnfc.desired === "STARTED" && vnfc.status === "ACTIVE"
        ? disabled("start", t`It is already running.`)
        : operate,
    stop:
      operate.enabled && vnfc.desired === "STOPPED" && vnfc.status === "SHUTOFF"
        ? disabled("stop", t`It is already stopped.`)
        : operate,
  };
}

function VnfcActions({
  instance,
  vnfc,
  onChoose,
}: {
  instance: VnfInstance;
  vnfc: Vnfc;
  onChoose: (deed: VnfcAction) => void;
}) {
  const deeds = vnfcActionsOf(instance, vnfc);
  const items = (Object.keys(VNFC_ACTIONS) as VnfcAction[]).map((name) => {
    const [text, action] = [VNFC_ACTIONS[name], deeds[name]];
    return { name, text, action, danger: false };
  });
  return <ActionMenu text={t`Menu of ${vnfc.name}`} icon={<EllipsisVIcon />} items={items} onChoose={onChoose} />;
}

interface RowProps {
  /** The address names this VNFC. */
  isChosen: boolean;
  row: RefObject<HTMLTableRowElement | null> | undefined;
  instance: VnfInstance;
  vnfc: Vnfc;
  index: number;
  alarms: VnfcAlarms;
  /** Only administrators see hosts in OpenStack. */
  hasHosts: boolean;
  onChoose: (deed: VnfcAction) => void;
}

function VnfcRows({ instance, vnfc, index, alarms, hasHosts, isChosen, row, onChoose }: RowProps) {
  const [toggled, setToggled] = useState<boolean>();
  const open = toggled ?? isChosen;
  const addresses = vnfc.ports.flatMap((port) => port.ipAddresses);
  return (
    <Tbody isExpanded={open}>
      <Tr
        {...(row ? { ref: row } : {})}
        {...(isChosen ? { className: "vm-row-chosen", "aria-current": "true" as const } : {})}
      >
        <Td
          expand={{
            rowIndex: index,
            isExpanded: open,
            onToggle: () => setToggled(!open),
            expandId: `ports-${vnfc.id}`,
          }}
        />
        <Td dataLabel={t`Slot`}>
          <strong className="vm-slot">{vnfc.slot || "—"}</strong>
        </Td>
        <Td dataLabel={t`VNFC`}>
          <strong>{vnfc.name}</strong>
        </Td>
        <Td dataLabel={t`VDU`}>
          {vnfc.vduId} <Pair vnfc={vnfc} vnfcs={instance.vnfcs} />
        </Td>
        <Td dataLabel={t`Observed status`}>
          <VnfcStatus vnfc={vnfc} />
        </Td>
        <Td dataLabel={t`Alarms`}>
          <VnfcAlarmBadge instanceId={instance.id} vnfc={vnfc} alarms={alarms} />
        </Td>
        {hasHosts && <Td dataLabel={t`Host`}>{vnfc.host || DASH}</Td>}
        <Td dataLabel={t`Nova flavor`}>{vnfc.flavor || DASH}</Td>
        <Td dataLabel={t`Addresses`}>
          {addresses[0] ?? DASH}
          {addresses.length > 1 && (
            <span className="vm-quiet">
              {" "}
              <Trans>and {addresses.length - 1} more</Trans>
            </span>
          )}
        </Td>
        <Td isActionCell>
          <VnfcActions instance={instance} vnfc={vnfc} onChoose={onChoose} />
        </Td>
      </Tr>
      <Tr isExpanded={open}>
        <Td colSpan={COLUMNS}>
          <ExpandableRowContent>
            <p className="vm-quiet">
              {[
                vnfc.observedAt ? t`Observed ${exactTime(vnfc.observedAt)}` : t`Never observed`,
                roleText({ vnfc, vnfcs: instance.vnfcs }),
              ]
                .filter(Boolean)
                .join(" · ")}
            </p>
            <Ports vnfc={vnfc} networks={instance.networks} />
          </ExpandableRowContent>
        </Td>
      </Tr>
    </Tbody>
  );
}

interface VnfcActionViewProps {
  instance: VnfInstance;
  vnfc: Vnfc;
  deed: VnfcAction;
  onClose: () => void;
}

function VnfcActionView({ deed, ...shown }: VnfcActionViewProps) {
  const only = { instance: shown.instance, only: shown.vnfc, onClose: shown.onClose };
  switch (deed) {
    case "console":
      return <ConsoleDrawer {...shown} />;
    case "log":
      return <LogDrawer {...shown} />;
    case "heal":
      return <HealDialog {...only} />;
    case "start":
      return <OperateDialog {...only} to="STARTED" />;
    case "stop":
      return <OperateDialog {...only} to="STOPPED" />;
  }
}

export function Vnfcs({ instance }: { instance: VnfInstance }) {
  const alarmsOf = useVnfcAlarms(instance.id);
  const asked = useSelectedVnfcs(instance.vnfcs);
  const [density] = useDensity();
  const [chosen, setChosen] = useState<{ deed: VnfcAction; id: string }>();
  const vnfc = instance.vnfcs.find(({ id }) => id === chosen?.id);
  const hasHosts = instance.vnfcs.some(({ host }) => host !== "");
  return (
    <Panel title={t`VNFCs`} count={instance.vnfcs.length}>
      {asked.gone && (
        <Alert isInline isPlain variant="info" component="h3" title={t`VNFC not found: it was removed or replaced.`} />
      )}
      {instance.vnfcs.length === 0 ? (
        <p className="vm-quiet">
          {instance.runningOpOccId ? (
            <Trans>No VNFCs yet.</Trans>
          ) : (
            <Trans>No VNFCs: the instance is not instantiated.</Trans>
          )}
        </p>
      ) : (
        <div className={`vm-scroll vm-rows-${density}`} onPointerOver={showCut}>
          <Table aria-label={t`VNFCs`} isExpandable>
            <Thead>
              <Tr>
                <Th screenReaderText={t`Ports`} />
                <Th>
                  <Trans>Slot</Trans>
                </Th>
                <Th>
                  <Trans>VNFC</Trans>
                </Th>
                <Th>
                  <Trans>VDU</Trans>
                </Th>
                <Th modifier="nowrap">
                  <Trans>Observed status</Trans>
                </Th>
                <Th>
                  <Trans>Alarms</Trans>
                </Th>
                {hasHosts && (
                  <Th>
                    <Trans>Host</Trans>
                  </Th>
                )}
                <Th>
                  <Trans>Nova flavor</Trans>
                </Th>
                <Th>
                  <Trans>Addresses</Trans>
                </Th>
                <Th screenReaderText={t`Actions`} />
              </Tr>
            </Thead>
            {instance.vnfcs.map((each, index) => (
              <VnfcRows
                key={each.id}
                instance={instance}
                vnfc={each}
                index={index}
                alarms={alarmsOf(each.id)}
                hasHosts={hasHosts}
                isChosen={asked.ids.includes(each.id)}
                row={each.id === asked.first ? asked.row : undefined}
                onChoose={(deed) => setChosen({ deed, id: each.id })}
              />
            ))}
          </Table>
        </div>
      )}
      {chosen && vnfc && (
        <VnfcActionView
          key={`${chosen.deed} ${vnfc.id}`}
          instance={instance}
          vnfc={vnfc}
          deed={chosen.deed}
          onClose={() => setChosen(undefined)}
        />
      )}
    </Panel>
  );
}
