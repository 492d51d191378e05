import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button } from "@patternfly/react-core";
import AutomationIcon from "@patternfly/react-icons/dist/esm/icons/automation-icon";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "react-router";
import {
  automationPolicyCreate,
  automationPolicyDelete,
  automationPolicyResume,
  automationPolicyUpdate,
} from "@/api/callsAutomation";
import { keys } from "@/api/keys";
import { q } from "@/api/queries";
import type { AutomationPolicy, AutomationPolicyInput, Vnfd, VnfInstance } from "@/api/types";
import { pb } from "@/paths";
import { INSTANCES } from "@/records/optionSources";
import type { Draft, FieldSpec } from "@/records/fields";
import type { RecordKind } from "@/records/Records";
import { ChangeButton } from "@/ui/ActionButton";
import { vnfdTitle } from "@/ui/names";
import type { Option } from "@/ui/SearchSelect";
import { AUTOMATION_STATE, lookOf } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { useToast } from "@/ui/toasts";

const KINDS: readonly Option[] = [
  ["HEAL", t`Heal`],
  ["SCALE", t`Scale`],
];
const STATES: readonly Option[] = [
  ["ENABLED", t`Enabled`],
  ["PAUSED", t`Paused`],
];
const SOURCES: readonly Option[] = [
  ["CLOUD_ALARM", t`Alarm of the cloud's telemetry`],
  ["ELEMENT_COUNTER", t`Counter of the network element`],
];
const heals = ({ kind }: Draft): boolean => kind === "HEAL";
const scales = ({ kind }: Draft): boolean => kind === "SCALE";

interface Choices {
  instance: VnfInstance | undefined;
  vnfds: readonly Vnfd[];
}

/** An aspect that several VNFDs share is listed once. */
function aspectsOf({ instance, vnfds }: Choices): Option[] {
  const of = instance ? vnfds.filter(({ vnfdId }) => vnfdId === instance.vnfdId) : vnfds;
  const ids = new Set(
    of.flatMap(({ flavours }) => flavours.flatMap(({ scalingAspects }) => scalingAspects.map(({ id }) => id))),
  );
  return [...ids].map((id) => [id, id]);
}

/** Only the form has this field; it decides which of the API's two targets is sent. */
const TARGET = "target";
const TARGETS: readonly Option[] = [
  ["INSTANCE", t`One VNF instance`],
  ["PACKAGE", t`All instances of a package`],
];

function targetFields({ instance, vnfds }: Choices, row: AutomationPolicy | undefined): FieldSpec[] {
  if (instance) return [];
  const packages = new Map(vnfds.map((vnfd) => [vnfd.packageId, vnfdTitle(vnfd)]));
  const isOfPackage = (draft: Draft) => (row ? row.vnfPkgId !== null : draft[TARGET] === "PACKAGE");
  return [
    ...(row
      ? []
      : [{ kind: "select", name: TARGET, label: t`Applies to`, options: TARGETS, once: true } satisfies FieldSpec]),
    {
      ...{ kind: "search", name: "vnfInstanceId", label: t`VNF instance`, required: true, once: true },
      ...{ source: INSTANCES, when: (draft) => !isOfPackage(draft) },
    },
    {
      ...{ kind: "select", name: "vnfPkgId", label: t`VNF package`, required: true, once: true },
      ...{ options: [...packages], when: isOfPackage },
    },
  ];
}

function fieldsOf(choices: Choices, row: AutomationPolicy | undefined): FieldSpec[] {
  const limits = { group: t`Limits` } as const;
  const rule = { group: t`Rule` } as const;
  return [
    { kind: "text", name: "name", label: t`Name`, required: true },
    { kind: "select", name: "kind", label: t`Action`, required: true, once: true, options: KINDS },
    ...targetFields(choices, row),
    { kind: "text", name: "description", label: t`Description` },
    { kind: "select", name: "state", label: t`State`, options: STATES },
    {
      ...{ kind: "check", name: "dryRun", label: t`Dry run` },
      help: t`Decisions are recorded; nothing is executed.`,
    },
    {
      ...{ kind: "number", name: "heal/forSeconds", label: t`Heal after (s)`, required: true, when: heals, ...rule },
      help: t`A VNFC is healed after it has been down this long.`,
    },
    {
      ...{ kind: "select", name: "scale/aspectId", label: t`Scaling aspect`, required: true, when: scales, ...rule },
      options: aspectsOf(choices),
    },
    {
      ...{ kind: "select", name: "scale/source", label: t`Measured by`, required: true, when: scales, ...rule },
      options: SOURCES,
    },
    {
      ...{ kind: "text", name: "scale/metric", label: t`Measure`, required: true, when: scales, ...rule },
      help: t`The name of an alarm; or cpu, memory, or a counter and an interface: utilisationOut 1/1/1.`,
    },
    { kind: "number", name: "scale/out/above", label: t`Out when above`, when: scales, ...rule },
    { kind: "number", name: "scale/out/forSeconds", label: t`Out after (s)`, when: scales, ...rule },
    { kind: "number", name: "scale/in/below", label: t`In when below`, when: scales, ...rule },
    { kind: "number", name: "scale/in/forSeconds", label: t`In after (s)`, when: scales, ...rule },
    {
      ...{ kind: "number", name: "coolDownSeconds", label: t`Cool-down (s)`, required: true, ...limits },
      help: t`After an action, the same VNFC or aspect is left alone this long.`,
    },
    {
      ...{ kind: "number", name: "actionsPerHour", label: t`Actions per hour`, required: true, ...limits },
      help: t`Per VNF instance. A healing policy pauses when it reaches this limit.`,
    },
  ];
}

/** Scaling out or in without a threshold never happens. */
function inputOf({ [TARGET]: _target, ...input }: Record<string, unknown>): AutomationPolicyInput {
  const scale = input["scale"] as Record<string, Record<string, unknown> | null> | undefined;
  if (scale) {
    if (scale["out"]?.["above"] === null) scale["out"] = null;
    if (scale["in"]?.["below"] === null) scale["in"] = null;
  }
  return input as unknown as AutomationPolicyInput;
}

function ruleText({ heal, scale }: AutomationPolicy): string {
  if (heal) return t`Heal a VNFC that has been down for ${heal.forSeconds} s`;
  if (!scale) return "—";
  const { aspectId, metric, out, in: back } = scale;
  if (out && back)
    return t`Scale ${aspectId} out when ${metric} is above ${out.above} for ${out.forSeconds} s, in when it is below ${back.below} for ${back.forSeconds} s`;
  if (out) return t`Scale ${aspectId} out when ${metric} is above ${out.above} for ${out.forSeconds} s`;
  if (back) return t`Scale ${aspectId} in when ${metric} is below ${back.below} for ${back.forSeconds} s`;
  return "—";
}

function Target({ policy }: { policy: AutomationPolicy }) {
  if (policy.vnfInstanceId) return <Link to={pb.instance(policy.vnfInstanceId)}>{policy.vnfInstanceName}</Link>;
  if (policy.vnfPkgId)
    return (
      <Link to={pb.vnfPackage(policy.vnfPkgId)}>
        <Trans>all instances of {policy.vnfProductName}</Trans>
      </Link>
    );
  return <>—</>;
}

function State({ policy }: { policy: AutomationPolicy }) {
  const trouble = policy.conditions.filter(({ status }) => status !== "True");
  return (
    <>
      <span className="vm-labels">
        <StateLabel look={lookOf(AUTOMATION_STATE, policy.state)} />
        {policy.dryRun && (
          <span className="vm-quiet">
            <Trans>dry run</Trans>
          </span>
        )}
      </span>
      {trouble.map(({ type, message }) => (
        <div key={type} className="vm-quiet">
          {message}
        </div>
      ))}
    </>
  );
}

function Resume({ policy }: { policy: AutomationPolicy }) {
  const client = useQueryClient();
  const toast = useToast();
  const resume = useMutation({
    mutationFn: () => automationPolicyResume(policy.id),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.automationPolicies }),
    onError: (error) => toast({ variant: "danger", title: t`${policy.name} was not resumed`, body: error.message }),
  });
  if (!policy.conditions.some(({ reason }) => reason === "LimitReached")) return null;
  return (
    <ChangeButton
      variant="secondary"
      size="sm"
      aria-label={t`Resume ${policy.name}`}
      isLoading={resume.isPending}
      onClick={() => resume.mutate()}
    >
      <Trans>Resume</Trans>
    </ChangeButton>
  );
}

/** These are the policies of all VNFs if `instance` is undefined. */
export function useAutomationKind(instance?: VnfInstance, onShow?: (id: string) => void): RecordKind<AutomationPolicy> {
  const { data: vnfds = [] } = useQuery(q.vnfds());
  const choices: Choices = { instance, vnfds };
  const packageId = vnfds.find(({ vnfdId }) => vnfdId === instance?.vnfdId)?.packageId;
  const concerns = ({ vnfInstanceId, vnfPkgId }: AutomationPolicy): boolean =>
    !instance || vnfInstanceId === instance.id || (packageId !== undefined && vnfPkgId === packageId);
  const isOfMany = ({ vnfInstanceId }: AutomationPolicy): boolean =>
    instance !== undefined && vnfInstanceId !== instance.id;
  return {
    toAdd: t`Add an automation policy`,
    noneYet: t`No automation policies yet`,
    isGone: t`This automation policy no longer exists`,
    many: t`Automation policies`,
    name: "automation-policies",
    nameOf: ({ name }) => name,
    lead: t`Actions that run automatically, and their limits. A policy can do nothing that an operator cannot do here.`,
    icon: AutomationIcon,
    empty: t`A policy heals VNFCs that are down, or scales by a metric. Start with a dry run and read what it would do.`,
    useList: () => useQuery(q.automationPolicies()),
    queryKey: keys.automationPolicies,
    select: concerns,
    columns: [
      { title: t`Name`, isName: true, sort: ({ name }) => name, cell: ({ name }) => name },
      { title: t`Target`, cell: (policy) => <Target policy={policy} /> },
      { title: t`Rule`, width: 30, cell: ruleText },
      { title: t`State`, width: 20, sort: ({ state }) => state, cell: (policy) => <State policy={policy} /> },
      {
        title: t`Limits`,
        cell: ({ coolDownSeconds, actionsPerHour }) => t`${actionsPerHour} per hour, cool-down ${coolDownSeconds} s`,
      },
    ],
    fields: (row) => fieldsOf(choices, row),
    fresh: {
      kind: "HEAL",
      [TARGET]: "INSTANCE",
      state: "ENABLED",
      dryRun: true,
      coolDownSeconds: 600,
      actionsPerHour: 3,
      heal: { forSeconds: 60 },
    },
    create: (input) =>
      automationPolicyCreate(inputOf({ vnfInstanceId: instance?.id ?? null, vnfPkgId: null, ...input })),
    update: ({ id, version }, input) => automationPolicyUpdate(id, inputOf(input), version),
    remove: ({ id, version }) => automationPolicyDelete(id, version),
    removal: t`The policy and its decisions are deleted. An operation that it started continues.`,
    isFixed: isOfMany,
    actions: (policy) => (
      <>
        <Resume policy={policy} />
        {isOfMany(policy) && (
          <Link to={pb.automation()} aria-label={t`Edit under Automation: ${policy.name}`}>
            <Trans>Edit under Automation</Trans>
          </Link>
        )}
        {onShow && (
          <Button
            variant="secondary"
            size="sm"
            aria-label={t`Decisions of ${policy.name}`}
            onClick={() => onShow(policy.id)}
          >
            <Trans>Decisions</Trans>
          </Button>
        )}
      </>
    ),
  };
}
