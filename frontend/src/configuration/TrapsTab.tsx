import { Toolbar, ToolbarContent } from "@patternfly/react-core";
import BellIcon from "@patternfly/react-icons/dist/esm/icons/bell-icon";
import { useQuery } from "@tanstack/react-query";
import { q } from "@/api/queries";
import type { NetworkElement, Trap } from "@/api/types";
import { SearchFilter } from "@/table/Filters";
import { filterText } from "@/table/filter";
import { ServerTable, type ServerColumn } from "@/table/ServerTable";
import { useListView } from "@/table/view";
import { Empty } from "@/ui/Empty";
import { valueText, plural } from "@/ui/format";
import { Ago } from "@/ui/Time";

export const TRAP_COLUMNS: ServerColumn<Trap>[] = [
  { title: "Received", cell: ({ receivedAt }) => <Ago at={receivedAt} /> },
  {
    title: "Trap",
    isName: true,
    cell: ({ name, trapOid }) => (
      <>
        {name || "Not in the catalogue"}
        <div className="vm-quiet vm-normal">
          <code>{trapOid}</code>
        </div>
      </>
    ),
  },
  {
    title: "What it said",
    width: 40,
    cell: ({ varbinds }) => (
      <ul className="vm-plain-list">
        {Object.entries(varbinds).map(([object, value]) => (
          <li key={object}>
            <span className="vm-quiet">{object}:</span> {valueText(value)}
          </li>
        ))}
      </ul>
    ),
  },
  { title: "Number", cell: ({ sequence }) => sequence ?? "—" },
];

/** What the element told by itself. Traps are no alarms: they have the poller look. */
export function TrapsTab({ element }: { element: NetworkElement }) {
  const view = useListView();
  const name = view.get("trap");
  const page = useQuery(
    q.traps(element.id, {
      filter: filterText([["cont", "name", name]]),
      nextpage_opaque_marker: view.after,
    }),
  );
  return (
    <>
      <Toolbar className="vm-toolbar" aria-label="Traps: filters">
        <ToolbarContent>
          <SearchFilter view={view} name="trap" label="Search traps by name" />
        </ToolbarContent>
      </Toolbar>
      <ServerTable
        label="Traps"
        counted={(rows) => plural(rows, "trap")}
        page={page}
        columns={TRAP_COLUMNS}
        rowKey={({ id }) => String(id)}
        view={view}
        empty={
          name ? undefined : (
            <Empty title="No trap has come" icon={BellIcon}>
              Have the element send its traps here, and what it tells is listed and looked into at once.
            </Empty>
          )
        }
      />
    </>
  );
}
