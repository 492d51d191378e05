import { t } from "@lingui/core/macro";
import type { Alarm } from "@/api/types";
import { pb } from "@/paths";
import type { Role } from "@/ui/rights";
import { partAddress } from "./partAddress";

interface Remedy {
  text: string;
  to: string;
  /** Undefined for a remedy that only opens a page. */
  needs?: Role;
}
type About = Pick<Alarm, "faultType" | "managedObjectType" | "managedObjectId" | "faultyResource" | "vnfcIds">;

const HEALED: ReadonlySet<string> = new Set(["VmMissing", "VmError", "VmDown", "PortBindingFailed"]);
const STACK: ReadonlySet<string> = new Set(["StackMissing", "StackFailed", "StackStalled"]);
const RESYNCED: ReadonlySet<string> = new Set(["NodeUnreachable", "ResyncFailed", "TrapGap"]);

function instanceRemedies({ faultType, managedObjectId: id, vnfcIds }: About): Remedy[] {
  const started: Remedy[] =
    faultType === "VmDown"
      ? [{ text: t`Start VM`, to: pb.vnfcAction(id, "start", ...vnfcIds), needs: "operator" }]
      : [];
  if (HEALED.has(faultType) && vnfcIds.length > 0)
    return [...started, { text: t`Heal this VNFC`, to: pb.vnfcAction(id, "heal", ...vnfcIds), needs: "operator" }];
  if (faultType === "StackDrift") return [{ text: t`Show the drift`, to: pb.instanceTab(id, "drift") }];
  return STACK.has(faultType) ? [{ text: t`Show the operations`, to: pb.instanceTab(id, "operations") }] : [];
}

/** A remedy opens the dialog in which the user confirms it. */
export function remediesOf(alarm: About): Remedy[] {
  const { managedObjectType, managedObjectId: id, faultType } = alarm;
  const part = partAddress(alarm);
  switch (managedObjectType) {
    case "VNF_INSTANCE":
      return instanceRemedies(alarm);
    case "NETWORK_ELEMENT": {
      const words = faultType === "ThresholdCrossed" ? t`Open the chart` : t`Open the part`;
      const opened: Remedy[] = part ? [{ text: words, to: part }] : [];
      return RESYNCED.has(faultType)
        ? [{ text: t`Resync`, to: pb.elementAction(id, "resync"), needs: "operator" }, ...opened]
        : opened;
    }
    case "VIM":
      return [{ text: t`Open the cloud`, to: pb.vim(id) }];
    case "MANAGER":
      return [];
  }
}
