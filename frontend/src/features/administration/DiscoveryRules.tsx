import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button, Progress } from "@patternfly/react-core";
import SearchIcon from "@patternfly/react-icons/dist/esm/icons/search-icon";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "react-router";
import { discoveryRuleCreate, discoveryRuleDelete, discoveryRuleScan, discoveryRuleUpdate } from "@/api/callsElements";
import { keys } from "@/api/keys";
import { q } from "@/api/queries";
import type { DiscoveryResult, DiscoveryRule, DiscoveryRuleInput } from "@/api/types";
import { pb } from "@/paths";
import type { FieldSpec } from "@/records/fields";
import { Records, type RecordKind } from "@/records/Records";
import { SITES } from "@/records/optionSources";
import { DataTable, type Column } from "@/table/DataTable";
import { ChangeButton } from "@/ui/ActionButton";
import { useAddress } from "@/ui/address";
import { Panel } from "@/ui/Panel";
import { DISCOVERED, lookOf, RESYNC } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { Ago } from "@/ui/Time";
import { useToast } from "@/ui/toasts";
import { NETCONF_POLICY, SNMP_POLICY, SSH_POLICY } from "./mediationPolicies";
import { NEW_SITE } from "./siteRecords";

const FIELDS: readonly FieldSpec[] = [
  { kind: "text", name: "name", label: t`Name`, required: true },
  {
    ...{ kind: "lines", name: "include", label: t`Include`, required: true },
    help: t`One per line: 192.0.2.0/24, 192.0.2.10-192.0.2.20 or 192.0.2.5.`,
  },
  { kind: "lines", name: "exclude", label: t`Exclude`, help: t`Same format.` },
  { ...SNMP_POLICY, required: true },
  SSH_POLICY,
  NETCONF_POLICY,
  {
    ...{ kind: "search", name: "siteId", label: t`Site of discovered elements`, none: t`None` },
    source: SITES,
    adds: NEW_SITE,
  },
  { kind: "number", name: "scanInterval", label: t`Scan interval (s)`, help: t`Empty: only on demand.` },
  { kind: "check", name: "enabled", label: t`Enabled` },
];

function Scan({ rule: { scan } }: { rule: DiscoveryRule }) {
  if (scan.state === "RUNNING" && scan.total > 0) {
    const words = t`${scan.asked} of ${scan.total} addresses`;
    return (
      <Progress
        size="sm"
        aria-label={t`Scan`}
        value={(scan.asked / scan.total) * 100}
        label={words}
        valueText={words}
        measureLocation="outside"
      />
    );
  }
  return (
    <>
      <StateLabel look={lookOf(RESYNC, scan.state)} />
      {scan.endedAt && (
        <span className="vm-quiet">
          {" "}
          <Ago at={scan.endedAt} />
        </span>
      )}
      {scan.problem && <div className="vm-error-text">{scan.problem}</div>}
    </>
  );
}

function ScanButton({ rule }: { rule: DiscoveryRule }) {
  const client = useQueryClient();
  const toast = useToast();
  const scan = useMutation({
    mutationFn: () => discoveryRuleScan(rule.id),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.discoveryRules }),
    onError: (error) => toast({ variant: "danger", title: t`${rule.name} was not started`, body: error.message }),
  });
  const busy = scan.isPending || rule.scan.state === "RUNNING" || rule.scan.state === "WAITING";
  return (
    <ChangeButton
      variant="secondary"
      size="sm"
      isLoading={busy}
      aria-label={t`Run now: ${rule.name}`}
      onClick={() => !busy && scan.mutate()}
    >
      <Trans>Run now</Trans>
    </ChangeButton>
  );
}

const RESULT_COLUMNS: Column<DiscoveryResult>[] = [
  { title: t`Address`, isName: true, sort: ({ address }) => address, cell: ({ address }) => <code>{address}</code> },
  {
    title: t`Outcome`,
    sort: ({ outcome }) => outcome,
    cell: ({ outcome }) => <StateLabel look={lookOf(DISCOVERED, outcome)} />,
  },
  {
    title: t`Name`,
    sort: ({ sysName }) => sysName,
    cell: ({ sysName, elementId }) =>
      elementId ? <Link to={pb.element(elementId)}>{sysName || elementId}</Link> : sysName || "—",
  },
  { title: t`Driver`, cell: ({ driver, sysObjectId }) => driver || sysObjectId || "—" },
  { title: t`Reason`, width: 40, cell: ({ problem }) => problem || "—" },
];

/** Name in the address of the rule whose results are shown. */
const RULE = "rule";

export function DiscoveryRules() {
  const { data: rules = [] } = useQuery(q.discoveryRules());
  const [params, setAddress] = useAddress();
  const rule = rules.find(({ id }) => id === params.get(RULE));
  const kind: RecordKind<DiscoveryRule> = {
    toAdd: t`Add a discovery rule`,
    noneYet: t`No discovery rules yet`,
    isGone: t`This discovery rule no longer exists`,
    many: t`Discovery rules`,
    name: "discovery-rules",
    nameOf: ({ name }) => name,
    lead: t`Where to search for network elements. Devices that respond are registered and managed.`,
    icon: SearchIcon,
    empty: t`A rule scans address ranges, once or periodically, and registers the devices that respond to SNMP.`,
    useList: () => useQuery(q.discoveryRules()),
    queryKey: keys.discoveryRules,
    columns: [
      { title: t`Name`, isName: true, sort: ({ name }) => name, cell: ({ name }) => name },
      {
        title: t`Include`,
        width: 20,
        cell: ({ include, exclude }) => (
          <>
            <code>{include.join(", ")}</code>
            {exclude.length > 0 && (
              <div className="vm-quiet">
                <Trans>not in {exclude.join(", ")}</Trans>
              </div>
            )}
          </>
        ),
      },
      {
        title: t`When`,
        cell: ({ enabled, scanInterval }) =>
          enabled && scanInterval !== null ? t`every ${scanInterval} s` : t`on demand`,
      },
      { title: t`Scan`, width: 20, cell: (row) => <Scan rule={row} /> },
      {
        title: t`Found`,
        cell: (row) => (
          <Button
            variant="link"
            isInline
            isDisabled={row.results.length === 0}
            aria-label={t`${row.results.length} found by ${row.name}`}
            onClick={() => setAddress({ [RULE]: row.id })}
          >
            {row.results.length}
          </Button>
        ),
      },
    ],
    fields: () => FIELDS,
    fresh: { enabled: true },
    create: (input) => discoveryRuleCreate(input as unknown as DiscoveryRuleInput),
    update: ({ id, version }, input) => discoveryRuleUpdate(id, input as unknown as DiscoveryRuleInput, version),
    remove: ({ id, version }) => discoveryRuleDelete(id, version),
    removal: t`The rule is deleted. The network elements that it found stay.`,
    actions: (row) => <ScanButton rule={row} />,
  };
  return (
    <div className="vm-stack">
      <Records kind={kind} />
      {rule && (
        <Panel title={t`Found by ${rule.name}`} count={rule.results.length}>
          <DataTable
            label={t`Found by ${rule.name}`}
            name="found"
            rows={rule.results}
            columns={RESULT_COLUMNS}
            rowKey={({ address }) => address}
          />
        </Panel>
      )}
    </div>
  );
}
