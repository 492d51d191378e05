import { t } from "@lingui/core/macro";
import { pb } from "@/paths";

interface PageCommand {
  text: string;
  to: string;
  /** These are names in other managers, separated by commas. */
  synonyms: string;
}

/** The synonyms are those of 5620 SAM, NFM-P, Horizon and OpenStack's clients. */
const PAGES: readonly PageCommand[] = [
  { text: t`Go to Overview`, to: pb.overview(), synonyms: "dashboard, home, start page, capacity" },
  {
    text: t`Go to Catalog`,
    to: pb.catalog(),
    synonyms: "VNF packages, VNFD, HOT templates, Heat templates, images, software, CSAR",
  },
  {
    text: t`Go to VNF instances`,
    to: pb.instances(),
    synonyms: "VNF list, stacks, virtual machines, VMs, servers, VNFCs, deployments, lifecycle",
  },
  {
    text: t`Go to Elements`,
    to: pb.elements(),
    synonyms: "NE list, network elements, routers, nodes, devices, equipment manager, inventory, chassis",
  },
  { text: t`Go to the equipment tree`, to: pb.network(), synonyms: "network tree, navigation tree, equipment view" },
  {
    text: t`Go to Performance`,
    to: pb.performance(),
    synonyms: "statistics, counters, KPI, PM, utilization, traffic, charts, graphs, bandwidth",
  },
  { text: t`Go to Boards`, to: pb.boards(), synonyms: "plots, statistics plotter, dashboards, my charts, graphs" },
  { text: t`Go to Topology`, to: pb.topology(), synonyms: "map, network map, links, physical topology, diagram" },
  {
    text: t`Go to Alarms`,
    to: pb.alarms(),
    synonyms: "faults, fault management, FM, events, alerts, dynamic alarm list",
  },
  {
    text: t`Alarm history`,
    to: pb.alarmHistory(),
    synonyms: "cleared alarms, historical alarms, closed alarms",
  },
  { text: t`Traps`, to: pb.traps(), synonyms: "SNMP traps, trap log, notifications received" },
  {
    text: t`Go to Clouds`,
    to: pb.vims(),
    synonyms: "VIM, OpenStack, regions, projects, tenants, quota, hypervisors, NFVI, Nova, Neutron, unclaimed stacks",
  },
  { text: t`Go to Dimensioning`, to: pb.dimensioning(), synonyms: "sizing, capacity planning, how many VMs" },
  {
    text: t`Go to Automation`,
    to: pb.automation(),
    synonyms: "auto-heal, auto-scale, policies, closed loop, self-healing, autoscaling",
  },
  { text: t`Go to Administration`, to: pb.administration(), synonyms: "settings, setup, options, admin" },
  {
    text: t`Users`,
    to: pb.administration("users"),
    synonyms: "accounts, roles, rights, logins, user security, people",
  },
  { text: t`Sites`, to: pb.administration("sites"), synonyms: "locations, equipment groups, places" },
  {
    text: t`Mediation policies`,
    to: pb.administration("policies"),
    synonyms: "SNMP, SSH, NETCONF, community, credentials, mediation security, poller policies",
  },
  {
    text: t`Discovery rules`,
    to: pb.administration("discovery"),
    synonyms: "discovery manager, scan, autodiscovery, find routers, find elements",
  },
  { text: t`Management profiles`, to: pb.administration("profiles"), synonyms: "profiles, element profiles" },
  {
    text: t`Alarm policies`,
    to: pb.administration("alarm-policies"),
    synonyms: "severity, suppression, escalation, alarm settings, promotion",
  },
  {
    text: t`Alarm routes`,
    to: pb.administration("alarm-routes"),
    synonyms: "mail, email, syslog, webhook, forwarding, northbound traps",
  },
  { text: t`Maintenance windows`, to: pb.administration("maintenance"), synonyms: "silence, mute, planned work" },
  { text: t`Subscriptions`, to: pb.administration("subscriptions"), synonyms: "ETSI notifications, northbound, NFVO" },
  { text: t`Audit trail`, to: pb.administration("audit"), synonyms: "user activity, log, history, who did what" },
  { text: t`My account`, to: pb.account(), synonyms: "password, API tokens, profile" },
  { text: t`Instantiate a VNF`, to: pb.instantiate(), synonyms: "deploy, create VNF, launch, new VNF, wizard" },
  { text: t`Onboard a VNF package`, to: pb.packageOnboard(), synonyms: "upload, import, add package, upload image" },
  { text: t`Register a cloud`, to: pb.vimRegister(), synonyms: "add VIM, add OpenStack, new cloud, add region" },
];

const beginsWord = (text: string, word: string): boolean =>
  text
    .toLowerCase()
    .split(/[\s,]+/)
    .some((each) => each.startsWith(word));

interface FoundPage {
  text: string;
  to: string;
  /** "" when the page was found by its name. */
  synonym: string;
}

/** Each word of the text must begin a word of the name, or of one synonym. */
export function pagesBy(text: string): FoundPage[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (name: string) => words.every((word) => beginsWord(name, word));
  const found = PAGES.flatMap(({ text: name, to, synonyms }): FoundPage[] => {
    if (fits(name)) return [{ text: name, to, synonym: "" }];
    const synonym = synonyms.split(", ").find(fits);
    return synonym === undefined ? [] : [{ text: name, to, synonym }];
  });
  return [...found.filter(({ synonym }) => synonym === ""), ...found.filter(({ synonym }) => synonym !== "")];
}
