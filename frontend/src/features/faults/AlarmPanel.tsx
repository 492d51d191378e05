import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Form, InputGroup, InputGroupItem, TextInput, Title } from "@patternfly/react-core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import { alarmClear } from "@/api/callsFaults";
import { keys } from "@/api/keys";
import { q } from "@/api/queries";
import type { Alarm, Severity } from "@/api/types";
import { ActionButton, ChangeButton } from "@/ui/ActionButton";
import { Copy } from "@/ui/Copy";
import { Drawer } from "@/ui/Drawer";
import { Facts, type Fact } from "@/ui/Facts";
import { LinkButton } from "@/ui/LinkButton";
import { LoadingNote } from "@/ui/LoadingNote";
import { ProblemAlert } from "@/ui/Problem";
import { ACKNOWLEDGED, lookOf, SEVERITY } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { Ago } from "@/ui/Time";
import { otherAck, useAlarmUpdate } from "./Ack";
import { ClearDialog } from "./ClearDialog";
import { Correlation } from "./Correlation";
import { AlarmPart, ManagedObject } from "./ManagedObject";
import { detailsText, faultText, OBJECT_TYPE, wordsOf } from "@/ui/names";
import { AlarmNotes } from "./AlarmNotes";
import { mapAddress } from "./partAddress";
import { remediesOf } from "./remedies";
import { AlarmSeverity, eventTypeText } from "./AlarmSeverity";

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="vm-part" aria-label={title}>
      <Title headingLevel="h3" size="md">
        {title}
      </Title>
      {children}
    </section>
  );
}

const severityText = (severity: string): string => lookOf(SEVERITY, severity as Severity).text;
/** For use within a sentence. */
const severityWord = (severity: string): string => severityText(severity).toLowerCase();

function factsOf(alarm: Alarm): Fact[] {
  const { originalSeverity: first, previousSeverity: before, highestSeverity: highest } = alarm;
  const severities = [
    t`raised as ${severityWord(first)}`,
    before && before !== first ? t`before ${severityWord(before)}` : "",
    highest === first ? "" : t`highest ${severityWord(highest)}`,
  ];
  const onMap = mapAddress(alarm);
  return [
    [
      t`Object`,
      <>
        <ManagedObject alarm={alarm} /> <span className="vm-quiet">{OBJECT_TYPE[alarm.managedObjectType]}</span>{" "}
        {onMap && (
          <Link to={onMap}>
            <Trans>Show on the map</Trans>
          </Link>
        )}
      </>,
    ],
    ...(alarm.faultyResource
      ? ([
          [
            t`Part`,
            <>
              <AlarmPart alarm={alarm} />
              <div>
                <Copy text={alarm.faultyResource} label={t`Copy part name`} />
              </div>
            </>,
          ],
        ] satisfies Fact[])
      : []),
    [t`Probable cause`, wordsOf(alarm.probableCause)],
    [t`Fault type`, <code key="fault">{alarm.faultType}</code>],
    [t`Event type`, eventTypeText(alarm.eventType)],
    [t`Severity`, severities.filter(Boolean).join(", ")],
    [t`Occurrences`, t`${alarm.occurrences} (last 24 h: ${alarm.occurrencesInADay})`],
    [t`Details`, detailsText(alarm.faultDetails) || "—"],
  ];
}

/** Events are in the order of time. */
function historyOf(alarm: Alarm): [at: string, words: string][] {
  const events: [string | null, string][] = [
    [alarm.firstRaisedTime === alarm.alarmRaisedTime ? null : alarm.firstRaisedTime, t`First raised`],
    [alarm.alarmRaisedTime, t`Raised as ${severityWord(alarm.originalSeverity)}`],
    [alarm.severityChangedTime, t`Severity changed to ${severityWord(alarm.perceivedSeverity)}`],
    [alarm.alarmAcknowledgedTime, t`Acknowledged by ${alarm.acknowledgedBy || t`unknown user`}`],
    [alarm.alarmClearedTime, alarm.clearedBy ? t`Cleared by ${alarm.clearedBy}` : t`Cleared: the condition ended`],
  ];
  return events.filter((each): each is [string, string] => each[0] !== null).sort(([a], [b]) => a.localeCompare(b));
}

function Assign({ alarm }: { alarm: Alarm }) {
  const { data: session } = useQuery(q.session());
  const update = useAlarmUpdate();
  const [name, setName] = useState(alarm.assignedTo);
  const give = (assignedTo: string) => {
    setName(assignedTo);
    update.mutate({ alarm, change: { assignedTo } });
  };
  return (
    <>
      <Form
        onSubmit={(event) => {
          event.preventDefault();
          give(name.trim());
        }}
      >
        <InputGroup>
          <InputGroupItem isFill>
            <TextInput
              aria-label={t`Assigned to`}
              placeholder={t`Unassigned`}
              value={name}
              onChange={(_event, typed) => setName(typed)}
            />
          </InputGroupItem>
          <InputGroupItem>
            <ChangeButton
              type="submit"
              variant="control"
              isDisabled={name.trim() === alarm.assignedTo || update.isPending}
            >
              <Trans>Assign</Trans>
            </ChangeButton>
          </InputGroupItem>
          {session && alarm.assignedTo !== session.username && (
            <InputGroupItem>
              <ChangeButton variant="control" isLoading={update.isPending} onClick={() => give(session.username)}>
                <Trans>Assign to me</Trans>
              </ChangeButton>
            </InputGroupItem>
          )}
        </InputGroup>
      </Form>
      {update.isError && <ProblemAlert error={update.error} />}
    </>
  );
}

function Actions({ alarm }: { alarm: Alarm }) {
  const client = useQueryClient();
  const update = useAlarmUpdate();
  const [clearing, setClearing] = useState(false);
  const acked = alarm.ackState === "ACKNOWLEDGED";
  const why = alarm.alarmClearedTime ? t`It is already cleared.` : t`This alarm clears only when its condition ends.`;
  return (
    <>
      <div className="vm-buttons">
        <ChangeButton
          variant={acked ? "secondary" : "primary"}
          size="sm"
          isLoading={update.isPending}
          onClick={() => !update.isPending && update.mutate({ alarm, change: otherAck(alarm) })}
        >
          {acked ? t`Unacknowledge` : t`Acknowledge`}
        </ChangeButton>
        <ActionButton
          action={{ action: "clear", enabled: alarm.clearableByHand, disabledReason: why }}
          variant="secondary"
          size="sm"
          onClick={() => setClearing(true)}
        >
          <Trans>Clear</Trans>
        </ActionButton>
        {!alarm.alarmClearedTime &&
          remediesOf(alarm).map(({ text, to, needs }) => (
            <LinkButton key={text} variant="secondary" size="sm" to={to} {...(needs ? { needs } : {})}>
              {text}
            </LinkButton>
          ))}
      </div>
      {!alarm.clearableByHand && <p className="vm-quiet">{why}</p>}
      {update.error && <ProblemAlert error={update.error} />}
      {clearing && (
        <ClearDialog
          alarms={[alarm]}
          run={async () => client.setQueryData(keys.alarm(alarm.id), await alarmClear(alarm.id))}
          onDone={() => {
            setClearing(false);
            void client.invalidateQueries({ queryKey: keys.alarms });
          }}
          onClose={() => setClearing(false)}
        />
      )}
    </>
  );
}

function Meaning({ alarm }: { alarm: Alarm }) {
  const { data: dictionary } = useQuery(q.alarmDictionary());
  const entry = dictionary?.find(({ faultType }) => faultType === alarm.faultType);
  if (!entry) return <p>{alarm.remedialAction || t`No entry in the alarm dictionary.`}</p>;
  const facts: Fact[] = [
    [t`Remedy`, entry.remedialAction],
    [t`Raised when`, entry.raisingCondition],
    [t`Clears when`, entry.clearingCondition],
    [t`Severity`, entry.severityRule || severityText(entry.severity)],
  ];
  return <Facts facts={facts} />;
}

function Details({ alarm }: { alarm: Alarm }) {
  return (
    <>
      <Actions alarm={alarm} />
      <Part title={t`Alarm`}>
        <Facts facts={factsOf(alarm)} />
      </Part>
      <Part title={t`Meaning`}>
        <Meaning alarm={alarm} />
      </Part>
      <Part title={t`Root cause and consequences`}>
        <Correlation alarm={alarm} />
      </Part>
      <Part title={t`History`}>
        <ol className="vm-story">
          {historyOf(alarm).map(([at, words]) => (
            <li key={at + words}>
              <span className="vm-story-time">
                <Ago at={at} />
              </span>
              <span>{words}</span>
            </li>
          ))}
        </ol>
      </Part>
      <Part title={t`Assignment`}>
        <Assign key={alarm.assignedTo} alarm={alarm} />
      </Part>
      <Part title={t`Notes`}>
        <AlarmNotes alarmId={alarm.id} />
      </Part>
    </>
  );
}

export function AlarmPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const { data: alarm, error } = useQuery(q.alarm(id));
  return (
    <Drawer
      title={alarm ? faultText(alarm.faultType) : t`Alarm`}
      shown={id}
      labels={
        alarm && (
          <>
            <AlarmSeverity alarm={alarm} />
            {alarm.ackState === "ACKNOWLEDGED" && <StateLabel look={ACKNOWLEDGED} />}
          </>
        )
      }
      onClose={onClose}
    >
      {error && !alarm && <ProblemAlert error={error} />}
      {!alarm && !error && (
        <LoadingNote>
          <Trans>Loading the alarm…</Trans>
        </LoadingNote>
      )}
      {alarm && <Details key={alarm.id} alarm={alarm} />}
    </Drawer>
  );
}
