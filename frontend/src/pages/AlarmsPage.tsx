import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useDeferredValue, useState } from "react";
import { alarmCsvHref } from "@/api/callsFaults";
import { q } from "@/api/queries";
import { AcknowledgeMatching } from "@/features/faults/AcknowledgeMatching";
import { AlarmFilters } from "@/features/faults/AlarmFilters";
import { AlarmsAt } from "@/features/faults/AlarmLink";
import { AlarmPanel } from "@/features/faults/AlarmPanel";
import { alarmColumns, AlarmCount, AlarmTable, LATEST, NoAlarms } from "@/features/faults/AlarmList";
import { AlertMenu } from "@/features/faults/AlertMenu";
import { BulkSelected } from "@/features/faults/BulkSelected";
import { alarmQuery, isNarrowed, isRootsOnly } from "@/features/faults/alarmQuery";
import { pb } from "@/paths";
import { CsvLink } from "@/table/CsvLink";
import { SavedViews } from "@/table/SavedViews";
import { TableOptions } from "@/table/TableOptions";
import { useListView, type ListView } from "@/ui/listView";
import { useAddress } from "@/ui/address";
import { LinkButton } from "@/ui/LinkButton";
import { Screen } from "@/ui/Screen";
import { useRequestedAction } from "@/ui/useRequestedAction";

const ALARM = "alarm";

/** The address holds the selected alarm next to the list's filters. */
function useSelectedAlarm() {
  const [params, setAddress] = useAddress();
  const close = useCallback(() => setAddress({ [ALARM]: "" }), [setAddress]);
  const others = new URLSearchParams(params);
  others.delete(ALARM);
  return { id: params.get(ALARM), close, at: `?${others.toString()}${others.size > 0 ? "&" : ""}${ALARM}=` };
}

function ListTools({ view, whole }: { view: ListView; whole: Parameters<typeof alarmCsvHref>[0] }) {
  return (
    <>
      <SavedViews list="alarms" passing={[ALARM]} />
      <CsvLink href={alarmCsvHref(whole)} file="alarms.csv" />
      <TableOptions label={t`Alarms`} columns={alarmColumns(view)} />
    </>
  );
}

function AlarmsPage() {
  const view = useListView(LATEST);
  const whole = alarmQuery(view);
  const page = useQuery(q.alarms({ ...whole, ...view.paging }));
  const shown = useSelectedAlarm();
  const isOpen = Boolean(shown.id);
  // Closing the details must react at once; laying out the rows takes longer and follows.
  const wasOpen = useDeferredValue(isOpen);
  const [asked, closeRequested] = useRequestedAction();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const rows = page.data?.rows ?? [];
  const { sort: _sort, ...matching } = whole ?? {};
  const isPart = page.data?.next !== undefined || view.after !== undefined;
  const isAllOfIt = rows.length > 0 && rows.every(({ id }) => chosen.has(id));
  return (
    <Screen
      title={t`Alarms`}
      actions={
        <>
          <AlertMenu />
          <LinkButton variant="secondary" to={pb.administration("alarm-policies")}>
            <Trans>Policies</Trans>
          </LinkButton>
          <LinkButton variant="secondary" to={pb.administration("maintenance")}>
            <Trans>Maintenance windows</Trans>
          </LinkButton>
        </>
      }
    >
      {/* Bulk actions replace the filters at the same height, so that rows do not move under the pointer. */}
      <div className="vm-bar-stack">
        <div inert={chosen.size > 0}>
          <AlarmFilters
            view={view}
            end={
              <>
                <AlarmCount page={page} view={view} withRoots={isRootsOnly(view)} />
                <ListTools view={view} whole={whole} />
              </>
            }
          />
        </div>
        <BulkSelected
          alarms={rows.filter(({ id }) => chosen.has(id))}
          matching={isPart && isAllOfIt && !page.isPlaceholderData ? matching : undefined}
          onDone={() => setChosen(new Set())}
        />
      </div>
      {asked === "acknowledge" && <AcknowledgeMatching query={matching} onClose={closeRequested} />}
      <AlarmsAt value={shown.at}>
        <div className={isOpen || wasOpen ? "vm-split" : ""}>
          <div>
            <AlarmTable
              label={t`Alarms`}
              page={page}
              view={view}
              withRoots={isRootsOnly(view)}
              selection={{ chosen, choose: setChosen }}
              empty={!isNarrowed(view) && <NoAlarms view={view} heldBack="?suppressed=1" />}
            />
          </div>
          {shown.id && <AlarmPanel id={shown.id} onClose={shown.close} />}
        </div>
      </AlarmsAt>
    </Screen>
  );
}

export { AlarmsPage as Component };
