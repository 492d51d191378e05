/** VNFCs and ports that a descriptor gives at a flavour and an instantiation level. */
import { t } from "@lingui/core/macro";
import type { Descriptor, Flavour, Vdu } from "@/api/types";

interface PlannedPort {
  cpId: string;
  name: string;
  linkId: string;
  vnicType: string;
  /** In a chain, the side away from the head. */
  outward: boolean;
}
export interface PlannedVnfc {
  /** Contains VDU and slot. */
  id: string;
  vdu: Vdu;
  slot: string;
  ports: PlannedPort[];
}

export const linkKind = (link: Descriptor["virtualLinks"][number] | undefined): string =>
  link?.internal ? t`internal` : t`external`;

export const isFixed = ({ minimum, initial, maximum }: Vdu): boolean => (initial ?? minimum) === maximum;

function countOf(vdu: Vdu, flavour: Flavour, scale: Readonly<Record<string, number>>): number {
  const steps = flavour.scalingAspects.flatMap(({ id, deltas }) =>
    deltas.filter(({ vduId }) => vduId === vdu.id).map(({ step }) => step * (scale[id] ?? 0)),
  );
  return steps.reduce((sum, more) => sum + more, vdu.initial ?? vdu.minimum);
}

/** The lowest slot comes first. Groups whose lists contain the same slots share them, in the order of the VNFD. */
function slotsOf(vdu: Vdu, count: number, taken: Set<string>): string[] {
  const names = vdu.slots.length > 0 ? vdu.slots : Array.from({ length: count }, (_, index) => String(index + 1));
  if (isFixed(vdu) || vdu.slots.length === 0) return names.slice(0, count);
  const slots = names.filter((name) => !taken.has(name)).slice(0, count);
  slots.forEach((slot) => taken.add(slot));
  return slots;
}

/** In a chain the link depends on the neighbours. `row` returns the number of VNFCs in the chain. */
function linkOf(vnfd: Descriptor, cpId: string, own: string, at: number, row: (vduId: string) => number): string {
  const chain = vnfd.chains.find((each) => [each.head, each.inward, each.outward].includes(cpId));
  if (!chain) return own;
  const ends = vnfd.vdus.flatMap((vdu) => vdu.connectionPoints).find((cp) => cp.id === chain.outward);
  const end = ends?.virtualLinkId ?? own;
  const length = row(chain.vduId);
  const position = cpId === chain.head ? 0 : cpId === chain.inward ? at : at + 1;
  return position < length ? (chain.links[position] ?? own) : end;
}

export function plannedVnfcs(
  vnfd: Descriptor,
  flavour: Flavour,
  scale: Readonly<Record<string, number>>,
): PlannedVnfc[] {
  const counts = new Map(vnfd.vdus.map((vdu) => [vdu.id, countOf(vdu, flavour, scale)]));
  const taken = new Set<string>();
  return vnfd.vdus.flatMap((vdu) =>
    slotsOf(vdu, counts.get(vdu.id) ?? 0, taken).map((slot, at) => ({
      ...{ id: `${vdu.id}/${slot}`, vdu, slot },
      ports: vdu.connectionPoints.map(({ id, name, virtualLinkId, vnicType }) => ({
        ...{ cpId: id, name, vnicType },
        linkId: linkOf(vnfd, id, virtualLinkId, at, (vduId) => counts.get(vduId) ?? 0),
        outward: vnfd.chains.some((chain) => chain.outward === id),
      })),
    })),
  );
}
