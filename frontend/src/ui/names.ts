import { t } from "@lingui/core/macro";
import type { UserRole } from "@/api/people";
import type { ManagedObjectType, Vnfd, VnfPackage } from "@/api/types";

export const ROLE_NAME: Record<UserRole, string> = {
  viewer: t`Viewer`,
  operator: t`Operator`,
  admin: t`Administrator`,
};

export function packageName(pkg: VnfPackage): string {
  const name = [pkg.vnfProvider, pkg.vnfProductName].filter(Boolean).join(" ");
  return name || t`Package ${pkg.id.slice(0, 8)}`;
}

export const vnfdTitle = (vnfd: Vnfd): string => `${vnfd.provider} ${vnfd.productName} ${vnfd.softwareVersion}`;

/** Types of managed objects of alarms (SOL003 clause 7.5.2.4). */
export const OBJECT_TYPE: Record<ManagedObjectType, string> = {
  VNF_INSTANCE: t`VNF instance`,
  NETWORK_ELEMENT: t`Network element`,
  VIM: t`Cloud`,
};
