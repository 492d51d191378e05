/** A copy of an instance cannot have the same addresses on the same networks. */
import { t } from "@lingui/core/macro";
import type { Vnfd } from "@/api/types";
import { rawOf, type Raw } from "@/features/settings/validate";

export interface AddressConflict {
  address: string;
  by: string;
  vimId: string;
  /** The setting that names the network, and the network. */
  networkParameter: string;
  network: string;
}

/** Two instances cannot have the same fixed addresses on a network that they share. */
export function addressConflicts(
  vnfd: Vnfd,
  chosen: { vimId: string | null; params: Record<string, unknown> },
  by: string,
): Record<string, AddressConflict> {
  const valueOf = (name: string) => {
    const value = chosen.params[name] ?? vnfd.settings.find((each) => each.name === name)?.default;
    return typeof value === "string" ? value : "";
  };
  const conflicts: Record<string, AddressConflict> = {};
  for (const plan of vnfd.addressPlans) {
    const networkParameter = vnfd.virtualLinks.find(({ id }) => id === plan.virtualLinkId)?.networkParameter ?? "";
    const network = networkParameter && valueOf(networkParameter);
    if (!network || chosen.vimId === null) continue; // The instance's stack created this network, and the new stack creates its own.
    for (const name of plan.addresses) {
      const address = valueOf(name);
      if (address) conflicts[name] = { address, by, vimId: chosen.vimId, networkParameter, network };
    }
  }
  return conflicts;
}

/** Conflicts exist only while cloud and network are the same. Keys: setting. */
export function conflictErrors(
  vnfd: Vnfd,
  draft: { addressConflicts: Record<string, AddressConflict>; raw: Record<string, Raw>; vimId: string | undefined },
): Record<string, string> {
  const errors: Record<string, string> = {};
  const valueOf = (name: string) => draft.raw[name] ?? rawOf(vnfd.settings.find((each) => each.name === name)?.default);
  for (const [name, { address, by, vimId, networkParameter, network }] of Object.entries(draft.addressConflicts)) {
    const typed = valueOf(name).trim();
    const shared = draft.vimId === vimId && valueOf(networkParameter) === network;
    if (shared && (typed === "" || typed === address)) {
      errors[name] = t`${by} uses ${address} on network ${network}. Choose another address.`;
    }
  }
  return errors;
}
