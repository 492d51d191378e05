import type * as T from "../src/api/types";
import type { Db } from "./db";

const ADDRESSES = { mgmt_ip_active: 10, mgmt_ip_standby: 11 };

/** "10.1.2.0/24" and its addresses, as the settings of the mock's packages name them. */
function addressesIn(cidr: string): Record<string, string> {
  const network = cidr.replace(/\.\d+\/\d+$/, "");
  const hosts = Object.entries(ADDRESSES).map(([name, host]) => [name, `${network}.${host}`]);
  return { mgmt_cidr: cidr, ...(Object.fromEntries(hosts) as Record<string, string>) };
}

/** The values that an instantiation will use: of the request, a management profile, the chosen network, the package. */
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
