import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button, FormSelect, FormSelectOption } from "@patternfly/react-core";
import DownloadIcon from "@patternfly/react-icons/dist/esm/icons/download-icon";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { SITES } from "@/records/optionSources";
import { q } from "@/api/queries";
import type { TopQuery } from "@/api/types";
import { AddSeries } from "@/features/performance/AddSeries";
import { CompareSeries } from "@/features/performance/CompareSeries";
import { useChosen } from "@/features/performance/series";
import { BUSIEST, topCsv, TopTable, WINDOWS, type Objects, type Window } from "@/features/performance/TopTable";
import { pb } from "@/paths";
import { SearchFilter } from "@/table/Filters";
import { ListBar, type FilterField } from "@/table/ListBar";
import { filterText } from "@/api/filter";
import { SavedViews } from "@/table/SavedViews";
import { useListView, type ListView } from "@/ui/listView";
import { download } from "@/ui/download";
import { Panel } from "@/ui/Panel";
import { LinkButton } from "@/ui/LinkButton";
import { Screen } from "@/ui/Screen";
import { ELEMENT_KIND } from "@/ui/states";

const objectsOf = (view: ListView): Objects => (view.get("objects") === "elements" ? "elements" : "interfaces");
const windowOf = (view: ListView): Window =>
  WINDOWS.find(([each]) => each === view.get("window"))?.[0] ?? WINDOWS[0][0];
const NARROWING = ["text", "kind", "site"] as const;

function queryOf(view: ListView): NonNullable<TopQuery> {
  const objects = objectsOf(view);
  const { by, desc } = view.sort ?? BUSIEST[objects];
  return {
    ...{ objects, window: windowOf(view), text: view.get("text"), sort: desc ? `-${by}` : by },
    filter: filterText([
      ["eq", "kind", view.get("kind")],
      ["eq", "siteId", view.get("site")],
    ]),
    ...view.paging,
  };
}

const FIELDS: readonly FilterField[] = [
  { name: "kind", label: t`Kind`, every: t`All kinds`, options: Object.entries(ELEMENT_KIND) },
  { name: "site", label: t`Site`, every: t`All sites`, source: SITES },
];

function Filters({ view, end }: { view: ListView; end: ReactNode }) {
  return (
    <ListBar
      label={t`Busiest`}
      view={view}
      fields={FIELDS}
      search={<SearchFilter view={view} name="text" label={t`Search elements and interfaces`} />}
      end={end}
    >
      <FormSelect
        className="vm-bar-select"
        aria-label={t`Objects`}
        value={objectsOf(view)}
        // Interfaces and elements have different measures.
        onChange={(_event, value) => view.set({ objects: value === "interfaces" ? "" : value, sort: "" })}
      >
        <FormSelectOption value="interfaces" label={t`Interfaces`} />
        <FormSelectOption value="elements" label={t`Elements`} />
      </FormSelect>
      <FormSelect
        className="vm-bar-select"
        aria-label={t`Time range`}
        value={windowOf(view)}
        onChange={(_event, value) => view.set({ window: value === WINDOWS[0][0] ? "" : value })}
      >
        {WINDOWS.map(([value, text]) => (
          <FormSelectOption key={value} value={value} label={text} />
        ))}
      </FormSelect>
    </ListBar>
  );
}

function PerformancePage() {
  const view = useListView();
  const chosen = useChosen();
  const page = useQuery(q.performanceTop(queryOf(view)));
  const rows = page.data?.rows ?? [];
  return (
    <Screen
      title={t`Performance`}
      actions={
        <LinkButton variant="secondary" to={pb.boards()}>
          <Trans>Boards</Trans>
        </LinkButton>
      }
    >
      <div className="vm-stack">
        <Panel title={t`Busiest`}>
          <Filters
            view={view}
            end={
              <>
                <SavedViews list="performance" />
                <Button
                  variant="plain"
                  aria-label={t`List as CSV`}
                  icon={<DownloadIcon />}
                  isDisabled={rows.length === 0}
                  onClick={() => download("busiest.csv", topCsv(rows), "text/csv")}
                />
              </>
            }
          />
          <TopTable
            label={t`Busiest`}
            objects={objectsOf(view)}
            window={windowOf(view)}
            page={page}
            view={view}
            chosen={chosen}
            narrowed={NARROWING.some((name) => view.get(name) !== "")}
          />
        </Panel>
        <Panel title={t`Over time`}>
          <AddSeries chosen={chosen} />
          <CompareSeries chosen={chosen} />
        </Panel>
      </div>
    </Screen>
  );
}

export { PerformancePage as Component };
