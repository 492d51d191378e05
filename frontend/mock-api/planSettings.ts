import type * as T from "../src/api/types";
import type { Db } from "./db";

const ADDRESSES = { mgmt_ip_active: 10, mgmt_ip_standby: 11 };

/** The templates of the mock's packages expect these names for a network and its addresses. */
function addressesIn(cidr: string): Record<string, string> {
  const network = cidr.replace(/\.\d+\/\d+$/, "");
  const hosts = Object.entries(ADDRESSES).map(([name, host]) => [name, `${network}.${host}`]);
  return { mgmt_cidr: cidr, ...(Object.fromEntries(hosts) as Record<string, string>) };
}

/**
 * A value of the request replaces that of a management profile, which replaces that of the chosen network and of the
 * package.
 */
export function plannedSettings(
  db: Db,
  vnfd: T.Vnfd | undefined,
  params: Record<string, unknown>,
  network: T.VimNetwork | undefined,
): T.PlanSetting[] {
  const [profile] = db.managementProfiles;
  const addressed = ["mgmt_net", "mgmt_cidr", ...Object.keys(ADDRESSES)].some((name) => name in params);
  const policied = ["snmpPolicy", "sshPolicy", "netconfPolicy"].some((name) => name in params);
  const range = profile?.addressRange && !addressed && !policied ? profile.addressRange : "";
  const byProfile = range ? addressesIn(range.replace(/\/\d+$/, "/24")) : {};
  const subnet = network?.subnets[0];
  const byCloud = subnet && !("mgmt_cidr" in params) ? addressesIn(subnet.cidr) : {};
  const originOf = (name: string): T.PlanSetting["origin"] => {
    if (name in params) return "request";
    if (name in byProfile) return "profile";
    return name in byCloud ? "cloud" : "package";
  };
  const values = new Map<string, unknown>(Object.entries({ ...byCloud, ...byProfile, ...params }));
  return (vnfd?.settings ?? [])
    .filter(({ hidden, format }) => !hidden && format !== "flavor" && format !== "image")
    .map(({ name, default: usual }) => ({ name, value: values.get(name) ?? usual, origin: originOf(name) }));
}
