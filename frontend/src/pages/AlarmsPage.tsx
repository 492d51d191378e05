import { Button, Label, LabelGroup } from "@patternfly/react-core";
import BellIcon from "@patternfly/react-icons/dist/esm/icons/bell-icon";
import DownloadIcon from "@patternfly/react-icons/dist/esm/icons/download-icon";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { useSearchParams } from "react-router";
import { alarmCsvHref } from "@/api/calls-faults";
import { q } from "@/api/queries";
import { AlarmFilters } from "@/faults/AlarmFilters";
import { AlarmPanel } from "@/faults/AlarmPanel";
import { AlarmTable, LATEST } from "@/faults/AlarmList";
import { Bulk } from "@/faults/Bulk";
import { alarmQuery, isNarrowed } from "@/faults/query";
import { pb } from "@/paths";
import { useListView } from "@/table/view";
import { Empty } from "@/ui/Empty";
import { LinkButton } from "@/ui/LinkButton";
import { Screen } from "@/ui/Screen";

const SHOWN = "alarm";

/** The alarm whose details are shown: beside the list's own questions in the address. */
function useShown() {
  const [params, setParams] = useSearchParams();
  const close = useCallback(
    () =>
      setParams(
        (before) => {
          before.delete(SHOWN);
          return before;
        },
        { replace: true, preventScrollReset: true },
      ),
    [setParams],
  );
  const hrefOf = (id: string): string => {
    const next = new URLSearchParams(params);
    next.set(SHOWN, id);
    return `?${next.toString()}`;
  };
  return { id: params.get(SHOWN), close, hrefOf };
}

export function Component() {
  const view = useListView(LATEST);
  const query = alarmQuery(view);
  const page = useQuery(q.alarms(query));
  const shown = useShown();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const rows = page.data?.rows ?? [];
  const object = view.get("object");
  const objectName = rows.find((alarm) => alarm.managedObjectId === object)?.managedObjectName ?? object;
  const plain = !isNarrowed(view) && view.get("list") === "" && view.get("silent") === "";
  const { nextpage_opaque_marker: _marker, ...whole } = query ?? {};
  return (
    <Screen
      title="Alarms"
      lead="What is wrong, since when, and who has seen it. The list follows the network by itself."
      actions={
        <>
          <Button
            variant="secondary"
            icon={<DownloadIcon />}
            component="a"
            href={alarmCsvHref(whole)}
            download="alarms.csv"
          >
            Export as CSV
          </Button>
          <LinkButton variant="secondary" to={pb.administration("alarm-policies")}>
            Policies
          </LinkButton>
          <LinkButton variant="secondary" to={pb.administration("maintenance")}>
            Maintenance windows
          </LinkButton>
        </>
      }
    >
      <AlarmFilters view={view} />
      {object && (
        <LabelGroup categoryName="Only" aria-label="Object of the alarms" className="vm-chips">
          <Label onClose={() => view.set({ object: "" })} closeBtnAriaLabel={`Remove filter Object: ${objectName}`}>
            Object: {objectName}
          </Label>
        </LabelGroup>
      )}
      <Bulk alarms={rows.filter(({ id }) => chosen.has(id))} onDone={() => setChosen(new Set())} />
      <AlarmTable
        label="Alarms"
        page={page}
        view={view}
        href={(alarm) => shown.hrefOf(alarm.id)}
        selection={{ chosen, choose: setChosen }}
        empty={
          plain ? (
            <Empty title="No alarm is told" icon={BellIcon}>
              When something breaks, its alarm is shown here, without reloading. What a maintenance window, an operation
              or a policy holds back is shown with “Held back, too”.
            </Empty>
          ) : undefined
        }
      />
      {shown.id && <AlarmPanel id={shown.id} href={shown.hrefOf} onClose={shown.close} />}
    </Screen>
  );
}
