import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import BellIcon from "@patternfly/react-icons/dist/esm/icons/bell-icon";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { thresholdRuleDelete, thresholdRuleUpdate } from "@/api/callsThresholds";
import { keys } from "@/api/keys";
import { q } from "@/api/queries";
import type { NetworkElement, ThresholdRule } from "@/api/types";
import { pb } from "@/paths";
import { Records, type RecordKind } from "@/records/Records";
import { valueWithUnit } from "@/ui/chartValues";
import { Panel } from "@/ui/Panel";
import { ELEMENT_KIND, SEVERITY, THRESHOLD_STATE } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { Ago, Since } from "@/ui/Time";
import { counterText, SYSTEM } from "./counters";
import { createRule } from "./SetThreshold";
import { freshRule, presetClearValues, ruleFields, type Place } from "./thresholdFields";

/** "1/1/1 of fra-pe-1", "all interfaces of fra-pe-1" */
function scopeText({ elementName, vnfInstanceName, elementKind, object, counter }: ThresholdRule): string {
  const where =
    elementName ??
    (elementKind ? t`all elements (${ELEMENT_KIND[elementKind]})` : t`all elements of ${vnfInstanceName ?? ""}`);
  if (counter === "cpu" || counter === "memory") return where;
  return object ? t`${object} of ${where}` : t`all interfaces of ${where}`;
}

function ruleText({ counter, direction, threshold, clearValue, unit }: ThresholdRule): string {
  const [what, limit, clear] = [counterText(counter), valueWithUnit(threshold, unit), valueWithUnit(clearValue, unit)];
  return direction === "ABOVE"
    ? t`${what} above ${limit}, clears at ${clear}`
    : t`${what} below ${limit}, clears at ${clear}`;
}

const MAX_LISTED = 3;

function Crossed({ rule, elements }: { rule: ThresholdRule; elements: readonly NetworkElement[] }) {
  const own = rule.crossedCounters.filter(({ elementId }) => elements.some(({ id }) => id === elementId));
  const shown = own.slice(0, MAX_LISTED);
  const more = rule.crossedCount - shown.length;
  return (
    <>
      {shown.map(({ elementId, elementName, object, since, latestValue, noValueSince }) => (
        <div key={elementId + object}>
          <Link to={pb.counters(elementId, object)}>
            {object === SYSTEM ? elementName : `${elementName} ${object}`}
          </Link>{" "}
          {noValueSince ? (
            <Trans>
              no value since <Since at={noValueSince} />
            </Trans>
          ) : (
            <Trans>
              {valueWithUnit(latestValue, rule.unit)}, beyond since <Since at={since} />
            </Trans>
          )}
        </div>
      ))}
      {more > 0 && <div className="vm-quiet">{plural(more, { one: "# more counter", other: "# more counters" })}</div>}
    </>
  );
}

function Evaluated({ rule }: { rule: ThresholdRule }) {
  const { evaluatedAt, evaluatedCounters, state, unvaluedCount, unvaluedSince } = rule;
  if (evaluatedAt === null) return <Trans>no value yet</Trans>;
  if (unvaluedSince !== null)
    return (
      <>
        {plural(unvaluedCount, { one: "# counter has no value", other: "# counters have no value" })}{" "}
        <Trans>
          since <Since at={unvaluedSince} />
        </Trans>
      </>
    );
  if (state === "UNKNOWN")
    return (
      <Trans>
        no value since <Since at={evaluatedAt} />
      </Trans>
    );
  return <>{plural(evaluatedCounters, { one: "# counter evaluated", other: "# counters evaluated" })}</>;
}

function State({ rule, elements }: { rule: ThresholdRule; elements: readonly NetworkElement[] }) {
  const { unrecordedCount } = rule;
  return (
    <>
      <StateLabel look={THRESHOLD_STATE[rule.state]} />
      <Crossed rule={rule} elements={elements} />
      <div className="vm-quiet">
        <Evaluated rule={rule} />
      </div>
      {unrecordedCount > 0 && (
        <div>
          {plural(unrecordedCount, {
            one: "# more is beyond and has no alarm: the rule has too many.",
            other: "# more are beyond and have no alarm: the rule has too many.",
          })}
        </div>
      )}
    </>
  );
}

interface Props extends Place {
  elements: readonly [NetworkElement, ...NetworkElement[]];
}

function useThresholdKind(place: Props): RecordKind<ThresholdRule> {
  const { elements } = place;
  const concerns = ({ elementId, vnfInstanceId, elementKind }: ThresholdRule): boolean =>
    elements.some(
      (each) =>
        each.id === elementId ||
        each.kind === elementKind ||
        (vnfInstanceId !== null && each.vnfInstanceId === vnfInstanceId),
    );
  return {
    toAdd: t`Add a threshold rule`,
    noneYet: t`No threshold rules yet`,
    isGone: t`This threshold rule no longer exists`,
    many: t`Threshold rules`,
    name: "threshold-rules",
    nameOf: ({ name }) => name,
    lead: t`An alarm is raised when a counter reaches the threshold of a rule, and clears at its clear value. Rules of a VNF or of all elements of a kind are shown at each of their elements.`,
    icon: BellIcon,
    empty: t`A rule raises an alarm at a value of a counter: of one interface, of all, or of all elements of a kind.`,
    useList: () => useQuery(q.thresholdRules()),
    queryKey: keys.thresholdRules,
    select: concerns,
    columns: [
      { title: t`Name`, isName: true, sort: ({ name }) => name, cell: ({ name }) => name },
      { title: t`Rule`, width: 20, cell: ruleText },
      { title: t`Applies to`, cell: scopeText },
      {
        title: t`Severity`,
        sort: ({ severity }) => Object.keys(SEVERITY).indexOf(severity),
        cell: ({ severity }) => <StateLabel look={SEVERITY[severity]} />,
      },
      {
        title: t`State`,
        width: 25,
        sort: ({ state }) => state,
        cell: (rule) => <State rule={rule} elements={elements} />,
      },
      {
        title: t`Crossed`,
        sort: ({ crossings }) => crossings,
        cell: ({ crossings, crossedAt }) => (
          <>
            {plural(crossings, { one: "# time", other: "# times" })}
            {crossedAt && (
              <span className="vm-quiet">
                {" "}
                <Trans>
                  last <Ago at={crossedAt} />
                </Trans>
              </span>
            )}
          </>
        ),
      },
    ],
    fields: (row) => ruleFields(place, row),
    fresh: freshRule(place),
    create: (input) => createRule(place, input),
    presets: (draft) => presetClearValues(place, draft),
    update: (row, input) => thresholdRuleUpdate(row, input),
    remove: thresholdRuleDelete,
    removal: t`The rule is deleted. Its open alarms are cleared, with a note that says so.`,
  };
}

export function ThresholdRules(props: Props) {
  return (
    <Panel title={t`Thresholds`}>
      <Records kind={useThresholdKind(props)} />
    </Panel>
  );
}
