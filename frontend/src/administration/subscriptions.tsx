import BullhornIcon from "@patternfly/react-icons/dist/esm/icons/bullhorn-icon";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { subscriptionDelete, subscriptionKeys, subscriptionQueries, type Subscription } from "@/api/subscriptions";
import { ConfirmDialog } from "@/forms/confirm";
import { DataTable, type Column } from "@/table/DataTable";
import { ChangeButton } from "@/ui/ActionButton";
import { Empty } from "@/ui/Empty";
import { number } from "@/ui/format";
import { Pending } from "@/ui/Pending";
import { ProblemAlert } from "@/ui/Problem";
import { DELIVERING, lookOf } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { Ago, At } from "@/ui/Time";
import { Withheld } from "@/ui/Withheld";

const OF: Record<Subscription["interface"], string> = {
  vnffm: "Alarms",
  vnflcm: "Operations and VNF instances",
};

/** Whether what it is sent is taken, since when, and in the endpoint's own words why not. */
function Delivering({ conditions: [condition] }: Subscription) {
  if (!condition) return <>unknown</>;
  return (
    <>
      <StateLabel look={lookOf(DELIVERING, condition.status)} />{" "}
      <span className="vm-quiet">
        since <Ago at={condition.lastTransitionTime} />
      </span>
      <div className="vm-quiet vm-normal">{condition.message}</div>
    </>
  );
}

const COLUMNS: Column<Subscription>[] = [
  {
    title: "Endpoint",
    isName: true,
    width: 30,
    sort: ({ callbackUri }) => callbackUri,
    cell: ({ callbackUri }) => <code>{callbackUri}</code>,
  },
  { title: "Told of", sort: (row) => OF[row.interface], cell: (row) => OF[row.interface] },
  { title: "State", width: 30, cell: Delivering },
  {
    title: "Waiting",
    sort: ({ waiting }) => waiting,
    cell: ({ waiting }) => <span className="vm-number">{number(waiting)}</span>,
  },
  { title: "Login", cell: ({ authType }) => authType || "none" },
  {
    title: "Made",
    sort: ({ createdAt }) => createdAt,
    cell: ({ createdAt, createdBy }) => (
      <>
        <At at={createdAt} />
        <div className="vm-quiet">by {createdBy}</div>
      </>
    ),
  },
];

function SubscriptionList() {
  const client = useQueryClient();
  const { data, error } = useQuery(subscriptionQueries.subscriptions());
  const [ending, setEnding] = useState<Subscription>();
  const columns: Column<Subscription>[] = [
    ...COLUMNS,
    {
      title: "Actions",
      cell: (row) => (
        <ChangeButton
          variant="secondary"
          size="sm"
          isDanger
          aria-label={`Delete the subscription of ${row.callbackUri}`}
          onClick={() => setEnding(row)}
        >
          Delete
        </ChangeButton>
      ),
    },
  ];
  const close = () => {
    setEnding(undefined);
    void client.invalidateQueries({ queryKey: subscriptionKeys.subscriptions });
  };
  return (
    <section aria-label="Subscriptions">
      {error && !data && <ProblemAlert error={error} level="h2" />}
      {!error && !data && <Pending>Reading the list…</Pending>}
      {data?.length === 0 && (
        <Empty title="Nobody has subscribed" icon={BullhornIcon}>
          An NFVO or OSS subscribes at <code>/vnffm/v1/subscriptions</code> for alarms, and at{" "}
          <code>/vnflcm/v2/subscriptions</code> for operations.
        </Empty>
      )}
      {data && data.length > 0 && (
        <>
          <p className="vm-quiet">Who is told of alarms and operations, and whether that reaches them.</p>
          <DataTable
            label="Subscriptions"
            rows={data}
            columns={columns}
            rowKey={({ id }) => id}
            searchText={({ callbackUri, createdBy }) => `${callbackUri} ${createdBy}`}
            initialSort={{ column: 0, direction: "asc" }}
          />
        </>
      )}
      {ending && (
        <ConfirmDialog
          title="Delete the subscription"
          button="Delete"
          run={() => subscriptionDelete(ending)}
          onDone={close}
          onClose={close}
        >
          <code>{ending.callbackUri}</code> is told no more, not even of the {number(ending.waiting)} that wait. Whoever
          subscribed is not told of this, and has to subscribe anew.
        </ConfirmDialog>
      )}
    </section>
  );
}

/** Endpoints are addresses that often hold a secret: who may only look does not see them. */
export function Subscriptions() {
  return (
    <Withheld title="Only operators see the subscriptions" needs="operator">
      <SubscriptionList />
    </Withheld>
  );
}
