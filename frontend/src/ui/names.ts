import type { Vnfd, VnfPackage } from "@/api/types";

export function packageName(pkg: VnfPackage): string {
  const name = [pkg.vnfProvider, pkg.vnfProductName].filter(Boolean).join(" ");
  return name || `Package ${pkg.id.slice(0, 8)}`;
}

export const vnfdTitle = (vnfd: Vnfd): string => `${vnfd.provider} ${vnfd.productName} ${vnfd.softwareVersion}`;
