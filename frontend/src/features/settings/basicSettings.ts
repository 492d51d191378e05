import type { Setting, Vnfd } from "@/api/types";
import { rawOf } from "./validate";

/**
 * A first deployment needs settings without a default, and the networks that join the VNF to others with their
 * subnets and fixed addresses. All other settings are advanced.
 */
export function basicSettings({
  settings,
  virtualLinks,
  addressPlans,
}: Pick<Vnfd, "settings" | "virtualLinks" | "addressPlans">): ReadonlySet<string> {
  const outer = virtualLinks.filter(({ internal }) => !internal);
  const isOuter = (id: string) => outer.some((link) => link.id === id);
  const addressed = addressPlans
    .filter(({ virtualLinkId }) => isOuter(virtualLinkId))
    .flatMap(({ cidr, addresses, gateway }) => [cidr, ...addresses, gateway]);
  const joining = new Set([...outer.map((link) => link.networkParameter), ...addressed]);
  const isBasic = (setting: Setting) =>
    (setting.required && rawOf(setting.default).trim() === "") || joining.has(setting.name);
  return new Set(settings.filter(isBasic).map(({ name }) => name));
}
