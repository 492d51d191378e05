import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
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
import { fdnOf } from "./equipment";

const DASH = "—";
const STANDARD = ["", "generic", "frr"];

function Policies({ element }: { element: NetworkElement }) {
  const { data: policies, isError } = useQuery(q.mediationPolicies());
  const named = (id: string): string =>
    policies?.find((each) => each.id === id)?.name ?? (policies || isError ? id : "…");
  const words = [
    ["SNMP", element.snmpPolicyId],
    ["SSH", element.sshPolicyId],
    ["NETCONF", element.netconfPolicyId],
  ].flatMap(([word, id]) => (id ? [`${String(word)}: ${named(id)}`] : []));
  return <>{words.join(" · ") || t`none: not polled`}</>;
}

/** Traps of an unmanaged element are ignored, and standard ones have no sequence number to count losses by. */
const countsTraps = ({ state, driver }: NetworkElement): boolean => state === "MANAGED" && !STANDARD.includes(driver);

export function ElementSummary({ element }: { element: NetworkElement }) {
  const facts: [string, Fact[1]][] = [
    [t`Management address`, <code key="address">{element.managementAddress}</code>],
    [t`Full name`, <Copy key="fdn" text={fdnOf(element)} label={t`Copy the full name`} />],
    [t`Kind`, ELEMENT_KIND[element.kind]],
    [t`Type`, element.chassisType || DASH],
    [t`Software`, element.softwareVersion || DASH],
    [t`System name`, element.sysName || DASH],
    [t`System description`, element.sysDescr || DASH],
    [t`Location`, element.location || DASH],
    [t`Site`, element.siteName ?? DASH],
    [t`Policies`, <Policies key="policies" element={element} />],
  ];
  const times: [string, Fact[1]][] = [
    [t`Driver`, element.driver || t`not known yet`],
    [t`Up since`, element.upSince ? <Since key="up" at={element.upSince} /> : DASH],
    [t`Observed`, element.observedAt ? <Ago key="seen" at={element.observedAt} /> : t`never`],
    [
      t`First full resync`,
      element.resync.firstFullAt ? <Since key="first" at={element.resync.firstFullAt} /> : t`never`,
    ],
    [t`Last full resync`, element.resync.lastFullAt ? <Ago key="last" at={element.resync.lastFullAt} /> : t`never`],
    [
      t`Traps`,
      element.trapGapSince ? (
        <span key="gap" className="vm-error-text">
          <Trans>
            some lost since <Since at={element.trapGapSince} />
          </Trans>
        </span>
      ) : countsTraps(element) ? (
        t`none lost`
      ) : (
        t`not counted`
      ),
    ],
    [
      t`VNF instance`,
      element.vnfInstanceId ? (
        <Link key="vnf" to={pb.instance(element.vnfInstanceId)}>
          {element.vnfInstanceName}
        </Link>
      ) : (
        DASH
      ),
    ],
    [
      t`Host element`,
      element.hostElementId ? (
        <Link key="host" to={pb.element(element.hostElementId)}>
          {element.hostElementName}
        </Link>
      ) : (
        DASH
      ),
    ],
    [t`SSH login`, element.loginWarning || t`no warning at the last one`],
    [
      t`SSH host key`,
      element.sshHostKey ? (
        <Copy key="key" text={element.sshHostKey} label={t`Copy the host key`} />
      ) : (
        t`none pinned yet`
      ),
    ],
    [
      t`NETCONF host key`,
      element.netconfHostKey ? (
        <Copy key="netconf" text={element.netconfHostKey} label={t`Copy the host key`} />
      ) : (
        t`none pinned yet`
      ),
    ],
  ];
  return (
    <div className="vm-columns">
      <Panel title={t`Element`}>
        <Facts facts={facts} />
      </Panel>
      <Panel title={t`Identification`}>
        <Facts facts={times} />
      </Panel>
    </div>
  );
}
