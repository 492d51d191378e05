import type { Alarm } from "@/api/types";
import { NETWORK_FDN } from "@/api/network";
import { pb } from "@/paths";

type Placed = Pick<Alarm, "managedObjectType" | "managedObjectId" | "faultyResource" | "vnfcIds">;

const INTERFACE = /^interface-(\d+)$/;
const PEER = /^bgp:(.+)$/;
/** The resource of a threshold alarm contains counter, rule and object. */
const COUNTER = /^counter:[^:]+:[^:]+:(.+)$/;

/** These parts are not equipment. */
function besidesEquipment(elementId: string, part: string): string {
  const ifIndex = INTERFACE.exec(part)?.[1];
  if (ifIndex) return pb.elementInterface(elementId, ifIndex);
  const counted = COUNTER.exec(part)?.[1];
  if (counted) return pb.counters(elementId, counted);
  const peer = PEER.exec(part)?.[1];
  return peer ? pb.elementPeer(elementId, peer) : pb.elementTab(elementId, "facts");
}

/** Undefined if the alarm is of the object itself, or of a part that no page shows. */
export function partAddress({ managedObjectType, managedObjectId: id, faultyResource, vnfcIds }: Placed) {
  if (managedObjectType === "VNF_INSTANCE") return vnfcIds.length > 0 ? pb.vnfcs(id, ...vnfcIds) : undefined;
  if (managedObjectType !== "NETWORK_ELEMENT") return undefined;
  if (faultyResource.startsWith(`${NETWORK_FDN}:`)) return pb.elementPart(id, faultyResource);
  const own = `${id}:`;
  return faultyResource.startsWith(own) ? besidesEquipment(id, faultyResource.slice(own.length)) : undefined;
}

/** An alarm of one VM leads to the VM, others to the object; the manager is not on the map. */
export function mapAddress({ managedObjectType, managedObjectId: id, vnfcIds }: Placed): string | undefined {
  const [vnfc, another] = vnfcIds;
  if (managedObjectType === "NETWORK_ELEMENT") return pb.onMap("element", id);
  if (managedObjectType === "VIM") return pb.onMap("cloud", id);
  if (managedObjectType === "MANAGER") return undefined;
  return vnfc !== undefined && another === undefined ? pb.onMap("vm", vnfc) : pb.onMap("instance", id);
}
