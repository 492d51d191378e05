import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { q } from "@/api/queries";
import type { NetworkElement } from "@/api/types";
import { pb } from "@/paths";
import { Copy } from "@/ui/Copy";
import { Facts, type Fact } from "@/ui/Facts";
import { Panel } from "@/ui/Panel";
import { ELEMENT_KIND } from "@/ui/states";
import { Ago, Since } from "@/ui/Time";
import { fdnOf } from "./tree";

const DASH = "—";
const GENERIC = "generic";

/** The names of the policies that the element is spoken to by. */
function Policies({ element }: { element: NetworkElement }) {
  const { data: policies, isError } = useQuery(q.mediationPolicies());
  const named = (id: string): string =>
    policies?.find((each) => each.id === id)?.name ?? (policies || isError ? id : "…");
  const words = [
    ["SNMP", element.snmpPolicyId],
    ["SSH", element.sshPolicyId],
    ["NETCONF", element.netconfPolicyId],
  ].flatMap(([word, id]) => (id ? [`${String(word)}: ${named(id)}`] : []));
  return <>{words.join(" · ") || "none: it cannot be read"}</>;
}

/** Only the notifications of a managed element are heeded, and standard ones have no number to count them by. */
const countsTraps = ({ state, driver }: NetworkElement): boolean =>
  state === "MANAGED" && !["", GENERIC].includes(driver);

export function Summary({ element }: { element: NetworkElement }) {
  const facts: [string, Fact[1]][] = [
    ["Management address", <code key="address">{element.managementAddress}</code>],
    ["Full name", <Copy key="fdn" text={fdnOf(element)} what="full name" />],
    ["Kind", ELEMENT_KIND[element.kind]],
    ["Type", element.chassisType || DASH],
    ["Software", element.softwareVersion || DASH],
    ["System name", element.sysName || DASH],
    ["System description", element.sysDescr || DASH],
    ["Location", element.location || DASH],
    ["Site", element.siteName ?? DASH],
    ["Policies", <Policies key="policies" element={element} />],
  ];
  const times: [string, Fact[1]][] = [
    ["Driver", element.driver || "not known yet"],
    ["Up since", element.upSince ? <Since key="up" at={element.upSince} /> : DASH],
    ["Seen", element.observedAt ? <Ago key="seen" at={element.observedAt} /> : "never"],
    ["First full resync", element.resync.firstFullAt ? <Since key="first" at={element.resync.firstFullAt} /> : "never"],
    ["Last full resync", element.resync.lastFullAt ? <Ago key="last" at={element.resync.lastFullAt} /> : "never"],
    [
      "Traps",
      element.trapGapSince ? (
        <span key="gap" className="vm-error-text">
          some were missed since <Since at={element.trapGapSince} />
        </span>
      ) : countsTraps(element) ? (
        "none missed"
      ) : (
        "not counted"
      ),
    ],
    [
      "VNF instance",
      element.vnfInstanceId ? (
        <Link key="vnf" to={pb.instance(element.vnfInstanceId)}>
          {element.vnfInstanceName}
        </Link>
      ) : (
        DASH
      ),
    ],
    [
      "Host element",
      element.hostElementId ? (
        <Link key="host" to={pb.element(element.hostElementId)}>
          {element.hostElementName}
        </Link>
      ) : (
        DASH
      ),
    ],
    [
      "SSH host key",
      element.sshHostKey ? <Copy key="key" text={element.sshHostKey} what="host key" /> : "none pinned yet",
    ],
    [
      "NETCONF host key",
      element.netconfHostKey ? <Copy key="netconf" text={element.netconfHostKey} what="host key" /> : "none pinned yet",
    ],
  ];
  return (
    <div className="vm-columns">
      <Panel title="Element">
        <Facts facts={facts} />
      </Panel>
      <Panel title="How it is known">
        <Facts facts={times} />
      </Panel>
    </div>
  );
}
