import { t } from "@lingui/core/macro";
import { Toolbar, ToolbarContent } from "@patternfly/react-core";
import NetworkIcon from "@patternfly/react-icons/dist/esm/icons/network-icon";
import PlusCircleIcon from "@patternfly/react-icons/dist/esm/icons/plus-circle-icon";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { elementRegister } from "@/api/calls-elements";
import { keys } from "@/api/keys";
import { q } from "@/api/queries";
import type { ElementInput, ElementQuery, NetworkElement } from "@/api/types";
import { SITES } from "@/administration/sources";
import { ELEMENT_FIELDS } from "@/elements/fields";
import { ResyncState } from "@/elements/Resync";
import { AlarmBadge, alarmCountsOf, type AlarmCounts } from "@/faults/AlarmBadge";
import { pb } from "@/paths";
import { RecordDialog } from "@/records/RecordDialog";
import { ChoiceFilter, SearchFilter, SelectFilter } from "@/table/Filters";
import { filterText } from "@/table/filter";
import { SavedViews } from "@/table/SavedViews";
import { ServerTable, type ServerColumn } from "@/table/ServerTable";
import { useListView, type ListView } from "@/table/view";
import { ChangeButton } from "@/ui/ActionButton";
import { ConditionBadge, conditionOf } from "@/ui/Conditions";
import { Empty } from "@/ui/Empty";
import { LinkButton } from "@/ui/LinkButton";
import { Screen } from "@/ui/Screen";
import { ELEMENT_KIND, ELEMENT_STATE, lookOf, RESYNC } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { plural } from "@/ui/format";

const DASH = <span className="vm-quiet">—</span>;
const BY_NAME = { by: "name", desc: false };
const FILTERS = ["name", "kind", "state", "reachable", "resync", "site"] as const;

function Reachable({ element }: { element: NetworkElement }) {
  const condition = conditionOf(element.conditions, "Reachable");
  return condition ? <ConditionBadge condition={condition} /> : DASH;
}

function columnsOf(alarmsOf: (id: string) => AlarmCounts): ServerColumn<NetworkElement>[] {
  return [
    {
      title: "Name",
      isName: true,
      sortBy: "name",
      cell: (element) => (
        <>
          <Link to={pb.element(element.id)}>{element.name}</Link>
          <div className="vm-quiet vm-normal">{element.managementAddress}</div>
        </>
      ),
    },
    { title: "Kind", sortBy: "kind", cell: ({ kind }) => ELEMENT_KIND[kind] },
    {
      title: "Type",
      sortBy: "chassisType",
      cell: ({ chassisType, softwareVersion }) => (
        <>
          {chassisType || DASH}
          {softwareVersion && <div className="vm-quiet">{softwareVersion}</div>}
        </>
      ),
    },
    { title: "Site", cell: ({ siteName }) => siteName ?? DASH },
    { title: "Reachability", sortBy: "reachable", cell: (element) => <Reachable element={element} /> },
    {
      title: "State",
      sortBy: "state",
      cell: ({ state }) => <StateLabel look={lookOf(ELEMENT_STATE, state)} />,
    },
    { title: "Alarms", cell: ({ id }) => <AlarmBadge objectId={id} counts={alarmsOf(id)} /> },
    { title: "Resync", sortBy: "resync/state", cell: (element) => <ResyncState element={element} /> },
  ];
}

/** The beginning, or a part, of an IP address: names have other letters. */
const isAddress = (text: string): boolean => /^[\da-f]*[.:][\da-f.:]*$/i.test(text);

function queryOf(view: ListView): ElementQuery {
  return {
    filter: filterText([
      ["cont", isAddress(view.get("name")) ? "managementAddress" : "name", view.get("name")],
      ["eq", "kind", view.get("kind")],
      ["eq", "state", view.get("state")],
      ["eq", "reachable", view.get("reachable")],
      ["eq", "resync/state", view.get("resync")],
      ["eq", "siteId", view.get("site")],
    ]),
    sort: view.sortText,
    nextpage_opaque_marker: view.after,
  };
}

function Filters({ view }: { view: ListView }) {
  return (
    <Toolbar className="vm-toolbar" aria-label="Elements: filters">
      <ToolbarContent>
        <SearchFilter view={view} name="name" label="Search elements by name or address" />
        <SelectFilter view={view} name="kind" label="Kind" every="Every kind" options={Object.entries(ELEMENT_KIND)} />
        <SelectFilter
          view={view}
          name="reachable"
          label="Reachability"
          every="Reachable or not"
          options={[
            ["True", "Reachable"],
            ["False", "Unreachable"],
            ["Unknown", "Unknown"],
          ]}
        />
        <SelectFilter
          view={view}
          name="state"
          label="State"
          every="Every state"
          options={Object.entries(ELEMENT_STATE).map(([key, { text }]) => [key, text] as const)}
        />
        <SelectFilter
          view={view}
          name="resync"
          label="Resync"
          every="Every resync state"
          options={Object.entries(RESYNC).map(([key, { text }]) => [key, t`Resync: ${text.toLowerCase()}`] as const)}
        />
        <ChoiceFilter view={view} name="site" label="Site" every="Every site" source={SITES} />
      </ToolbarContent>
    </Toolbar>
  );
}

function RegisterDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return (
    <RecordDialog
      title="Register a network element"
      button="Register"
      lead="It is read at once; its page tells how far that is."
      fields={ELEMENT_FIELDS}
      initial={{ kind: "PHYSICAL" }}
      isNew
      save={(input) => elementRegister(input as unknown as ElementInput)}
      onSaved={(saved) => {
        void client.invalidateQueries({ queryKey: keys.elements });
        void navigate(pb.element((saved as NetworkElement).id));
      }}
      onClose={onClose}
    />
  );
}

export function Component() {
  const view = useListView(BY_NAME);
  const page = useQuery(q.elements(queryOf(view)));
  const ids = (page.data?.rows ?? []).map(({ id }) => id);
  const counts = useQuery({
    ...q.alarmCounts({ managedObjectId: ids.join(",") }),
    enabled: ids.length > 0,
  });
  const [registering, setRegistering] = useState(false);
  const register = (
    <ChangeButton icon={<PlusCircleIcon />} onClick={() => setRegistering(true)}>
      Register an element
    </ChangeButton>
  );
  const plain = FILTERS.every((name) => view.get(name) === "");
  return (
    <Screen
      title="Elements"
      lead="Routers, physical and virtual: whether they answer, and what is wrong with them."
      actions={
        <>
          {register}
          <SavedViews list="elements" />
          <LinkButton variant="secondary" to={pb.traps()}>
            Traps
          </LinkButton>
          <LinkButton variant="secondary" to={pb.administration("discovery")}>
            Discovery
          </LinkButton>
        </>
      }
    >
      <Filters view={view} />
      <ServerTable
        label="Elements"
        counted={(rows) => plural(rows, "element")}
        page={page}
        columns={columnsOf(alarmCountsOf(counts))}
        rowKey={({ id }) => id}
        view={view}
        empty={
          plain ? (
            <Empty title="No network element yet" icon={NetworkIcon} action={register}>
              Register a router by its management address, or let a discovery rule look for them.
            </Empty>
          ) : undefined
        }
      />
      {registering && <RegisterDialog onClose={() => setRegistering(false)} />}
    </Screen>
  );
}
