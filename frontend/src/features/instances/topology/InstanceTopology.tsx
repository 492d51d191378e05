import { Trans } from "@lingui/react/macro";
import type { NodeProps } from "@xyflow/react";
import { useMemo } from "react";
import type { VnfInstance } from "@/api/types";
import { alarmText, useVnfcAlarms } from "@/features/instances/vnfcAlarms";
import { useAddress } from "@/ui/address";
import { serverStatus, SEVERITY } from "@/ui/states";
import { Box, Canvas, NetworkBox } from "@/features/topology/Canvas";
import { topologyOf, type VnfcNode } from "./graph";
import { PartFacts } from "./PartFacts";

function AlarmSign({ alarms }: { alarms: VnfcNode["data"]["alarms"] }) {
  if (typeof alarms === "string")
    return alarms === "UNKNOWN" ? (
      <span className="vm-quiet">
        <Trans>alarms unknown</Trans>
      </span>
    ) : null;
  if (!alarms.worst) return null;
  const { color, icon: Icon } = SEVERITY[alarms.worst];
  return (
    <span className={`vm-node-state vm-color-${color}`}>
      <Icon /> {alarmText(alarms, alarms.worst)}
    </span>
  );
}

function VnfcBox({ data: { vnfc, alarms } }: NodeProps<VnfcNode>) {
  const look = serverStatus(vnfc.status);
  const Icon = look.icon;
  return (
    <Box className={`vm-edge-${look.color}`}>
      <span className="vm-slot">{vnfc.slot || "—"}</span>
      <span className="vm-node-text">
        <strong>{vnfc.name}</strong>
        <span className={`vm-node-state vm-color-${look.color}`}>
          <Icon /> {look.text}
        </span>
        <AlarmSign alarms={alarms} />
      </span>
    </Box>
  );
}

/** Name in the address of the chosen box or line. */
const PART = "part";
const NODE_TYPES = { vnfc: VnfcBox, network: NetworkBox };

export default function InstanceTopology({ instance }: { instance: VnfInstance }) {
  const alarmsOf = useVnfcAlarms(instance.id);
  const [params, setAddress] = useAddress();
  const chosen = params.get(PART) ?? "";
  const drawn = useMemo(() => topologyOf(instance, alarmsOf), [instance, alarmsOf]);
  const mark = <Part extends { id: string }>(parts: Part[]) =>
    parts.map((part) => (part.id === chosen ? { ...part, selected: true } : part));
  if (drawn.nodes.length === 0)
    return (
      <p className="vm-quiet">
        <Trans>No topology: the instance is not instantiated.</Trans>
      </p>
    );
  return (
    <div className="vm-stack">
      <p className="vm-quiet">
        <Trans>
          Tab focuses boxes and lines; Enter or a click shows details. Solid lines are ports that are up, dashed ones
          down, dotted ones unknown; thick lines are SR-IOV.
        </Trans>
      </p>
      <Canvas
        nodes={mark(drawn.nodes)}
        edges={mark(drawn.edges)}
        nodeTypes={NODE_TYPES}
        onSelect={(id) => setAddress({ [PART]: id })}
      />
      <PartFacts instance={instance} id={chosen} alarmsOf={alarmsOf} />
    </div>
  );
}
