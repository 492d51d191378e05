import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button } from "@patternfly/react-core";
import DownloadIcon from "@patternfly/react-icons/dist/esm/icons/download-icon";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { alarmCsvHref } from "@/api/callsFaults";
import { q } from "@/api/queries";
import { AlarmFilters } from "@/features/faults/AlarmFilters";
import { AlarmsAt } from "@/features/faults/AlarmLink";
import { AlarmPanel } from "@/features/faults/AlarmPanel";
import { AlarmTable, LATEST, NoAlarms } from "@/features/faults/AlarmList";
import { AlertMenu } from "@/features/faults/AlertMenu";
import { BulkSelected } from "@/features/faults/BulkSelected";
import { alarmQuery, isNarrowed } from "@/features/faults/alarmQuery";
import { pb } from "@/paths";
import { SavedViews } from "@/table/SavedViews";
import { useListView } from "@/ui/listView";
import { useAddress } from "@/ui/address";
import { LinkButton } from "@/ui/LinkButton";
import { Screen } from "@/ui/Screen";

const ALARM = "alarm";

/** The alarm whose details are shown: next to the list's own questions in the address. */
function useSelectedAlarm() {
  const [params, setAddress] = useAddress();
  const close = useCallback(() => setAddress({ [ALARM]: "" }), [setAddress]);
  const others = new URLSearchParams(params);
  others.delete(ALARM);
  return { id: params.get(ALARM), close, at: `?${others.toString()}${others.size > 0 ? "&" : ""}${ALARM}=` };
}

function AlarmsPage() {
  const view = useListView(LATEST);
  const query = alarmQuery(view);
  const page = useQuery(q.alarms(query));
  const shown = useSelectedAlarm();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const rows = page.data?.rows ?? [];
  const { nextpage_opaque_marker: _marker, ...whole } = query ?? {};
  const { sort: _sort, ...matching } = whole;
  const isPart = page.data?.next !== undefined || view.after !== undefined;
  const isAllOfIt = rows.length > 0 && rows.every(({ id }) => chosen.has(id));
  return (
    <Screen
      title={t`Alarms`}
      lead={t`Alarms with severity, age and acknowledgement. The list updates live.`}
      actions={
        <>
          <SavedViews list="alarms" passing={[ALARM]} />
          <AlertMenu />
          <Button
            variant="secondary"
            icon={<DownloadIcon />}
            component="a"
            href={alarmCsvHref(whole)}
            download="alarms.csv"
          >
            <Trans>Export as CSV</Trans>
          </Button>
          <LinkButton variant="secondary" to={pb.administration("alarm-policies")}>
            <Trans>Policies</Trans>
          </LinkButton>
          <LinkButton variant="secondary" to={pb.administration("maintenance")}>
            <Trans>Maintenance windows</Trans>
          </LinkButton>
        </>
      }
    >
      <AlarmFilters view={view} />
      {/* Its place is always there: else the rows would move as one is chosen, and the next click meet another. */}
      <div>
        <BulkSelected
          alarms={rows.filter(({ id }) => chosen.has(id))}
          hasAny={rows.length > 0}
          matching={isPart && isAllOfIt && !page.isPlaceholderData ? matching : undefined}
          onDone={() => setChosen(new Set())}
        />
      </div>
      <AlarmsAt value={shown.at}>
        <AlarmTable
          label={t`Alarms`}
          page={page}
          view={view}
          selection={{ chosen, choose: setChosen }}
          empty={!isNarrowed(view) && <NoAlarms view={view} heldBack="?suppressed=1" />}
        />
        {shown.id && <AlarmPanel id={shown.id} onClose={shown.close} />}
      </AlarmsAt>
    </Screen>
  );
}

export { AlarmsPage as Component };
