import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import BellIcon from "@patternfly/react-icons/dist/esm/icons/bell-icon";
import { useQuery } from "@tanstack/react-query";
import { q } from "@/api/queries";
import type { NetworkElement, Trap } from "@/api/types";
import { SearchFilter } from "@/table/Filters";
import { ListBar } from "@/table/ListBar";
import { TableOptions } from "@/table/TableOptions";
import { filterText } from "@/api/filter";
import { ServerTable, type ServerColumn } from "@/table/ServerTable";
import { useListView } from "@/ui/listView";
import { Empty } from "@/ui/Empty";
import { valueText } from "@/ui/format";
import { Ago } from "@/ui/Time";

export const TRAP_COLUMNS: ServerColumn<Trap>[] = [
  { title: t`Received`, cell: ({ receivedAt }) => <Ago at={receivedAt} /> },
  {
    title: t`Trap`,
    isName: true,
    cell: ({ name, trapOid }) =>
      name ? (
        <span title={trapOid}>{name}</span>
      ) : (
        <>
          {t`Not in the trap catalogue`}
          <div className="vm-quiet vm-normal">
            <code>{trapOid}</code>
          </div>
        </>
      ),
  },
  {
    title: t`Variable bindings`,
    width: 60,
    cell: ({ bindings }) =>
      bindings.length === 0 ? (
        <span className="vm-quiet">—</span>
      ) : (
        <ul className="vm-plain-list">
          {bindings.map(({ oid, name, text }) => (
            <li key={oid}>
              <span className="vm-quiet">{name}</span> = {valueText(text)}
            </li>
          ))}
        </ul>
      ),
  },
  { title: t`Request id`, cell: ({ sequence }) => sequence ?? "—" },
];

/** A trap is not an alarm: it triggers a poll. */
export function TrapsTab({ element }: { element: NetworkElement }) {
  const view = useListView();
  const name = view.get("trap");
  const page = useQuery(
    q.traps(element.id, {
      filter: filterText([["cont", "name", name]]),
      ...view.paging,
    }),
  );
  return (
    <>
      <ListBar
        label={t`Traps`}
        search={<SearchFilter view={view} name="trap" label={t`Search traps by name`} />}
        end={<TableOptions label={t`Traps`} columns={TRAP_COLUMNS} />}
      />
      <ServerTable
        label={t`Traps`}
        counted={(rows) => plural(rows, { one: "# trap", other: "# traps" })}
        page={page}
        columns={TRAP_COLUMNS}
        rowKey={({ id }) => String(id)}
        view={view}
        empty={
          name ? undefined : (
            <Empty title={t`No traps received`} icon={BellIcon}>
              <Trans>Configure the element to send its traps here; each trap is listed and triggers a poll.</Trans>
            </Empty>
          )
        }
      />
    </>
  );
}
