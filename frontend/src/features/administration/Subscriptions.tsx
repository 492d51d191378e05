import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import BullhornIcon from "@patternfly/react-icons/dist/esm/icons/bullhorn-icon";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { subscriptionDelete, subscriptionKeys, subscriptionQueries, type Subscription } from "@/api/subscriptions";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { DataTable, type Column } from "@/table/DataTable";
import { ChangeButton } from "@/ui/ActionButton";
import { Empty } from "@/ui/Empty";
import { number } from "@/ui/format";
import { LoadedRows } from "@/ui/LoadedRows";
import { DELIVERING, lookOf } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { Ago, ExactTime } from "@/ui/Time";
import { RequireRole } from "@/ui/RequireRole";

const OF: Record<Subscription["interface"], string> = {
  vnffm: t`Alarms`,
  vnflcm: t`Operations and VNF instances`,
  vnflcm_v1: t`Operations and VNF instances (SOL003 2.6.1)`,
  vnfpkgm: t`VNF packages`,
  vnfpkgm_v2: t`VNF packages`,
  vnfind: t`VNF indicators`,
  vnfpm_v1: t`Performance (SOL003 2.6.1)`,
  vnfpm_job: t`PM job`,
  vnfpm_threshold: t`PM threshold`,
};

/** A failed delivery shows the endpoint's own message. */
function Delivering({ conditions: [condition] }: Subscription) {
  if (!condition)
    return (
      <>
        <Trans>unknown</Trans>
      </>
    );
  return (
    <>
      <StateLabel look={lookOf(DELIVERING, condition.status)} />{" "}
      <span className="vm-quiet">
        <Trans>
          since <Ago at={condition.lastTransitionTime} />
        </Trans>
      </span>
      <div className="vm-quiet vm-normal">{condition.message}</div>
    </>
  );
}

const COLUMNS: Column<Subscription>[] = [
  {
    title: t`Endpoint`,
    isName: true,
    width: 30,
    sort: ({ callbackUri }) => callbackUri,
    cell: ({ callbackUri }) => <code>{callbackUri}</code>,
  },
  { title: t`Notifications`, sort: (row) => OF[row.interface], cell: (row) => OF[row.interface] },
  { title: t`State`, width: 30, cell: Delivering },
  {
    title: t`Waiting`,
    sort: ({ waiting }) => waiting,
    cell: ({ waiting }) => <span className="vm-number">{number(waiting)}</span>,
  },
  { title: t`Login`, cell: ({ authType }) => authType || t`none` },
  {
    title: t`Created`,
    sort: ({ createdAt }) => createdAt,
    cell: ({ createdAt, createdBy }) => (
      <>
        <ExactTime at={createdAt} />
        <div className="vm-quiet">
          <Trans>by {createdBy}</Trans>
        </div>
      </>
    ),
  },
];

function SubscriptionList() {
  const client = useQueryClient();
  const query = useQuery(subscriptionQueries.subscriptions());
  const [ending, setEnding] = useState<Subscription>();
  const columns: Column<Subscription>[] = [
    ...COLUMNS,
    {
      title: t`Actions`,
      cell: (row) => (
        <ChangeButton
          variant="secondary"
          size="sm"
          isDanger
          aria-label={t`Delete the subscription of ${row.callbackUri}`}
          onClick={() => setEnding(row)}
        >
          <Trans>Delete</Trans>
        </ChangeButton>
      ),
    },
  ];
  const close = () => {
    setEnding(undefined);
    void client.invalidateQueries({ queryKey: subscriptionKeys.subscriptions });
  };
  return (
    <section aria-label={t`Subscriptions`}>
      <LoadedRows
        query={query}
        loading={t`Loading the list…`}
        level="h2"
        none={
          <Empty title={t`No subscriptions yet`} icon={BullhornIcon}>
            <Trans>
              An NFVO or OSS subscribes at <code>/vnffm/v1/subscriptions</code> for alarms, at{" "}
              <code>/vnflcm/v2/subscriptions</code> for operations, and at <code>/vnfpkgm/v1/subscriptions</code> for
              packages.
            </Trans>
          </Empty>
        }
      >
        {(rows) => (
          <>
            <p className="vm-quiet">
              <Trans>
                Subscribers to notifications of alarms, operations and packages, and whether delivery works.
              </Trans>
            </p>
            <DataTable
              label={t`Subscriptions`}
              rows={rows}
              columns={columns}
              rowKey={({ id }) => id}
              searchText={({ callbackUri, createdBy }) => `${callbackUri} ${createdBy}`}
              initialSort={{ column: 0, direction: "asc" }}
            />
          </>
        )}
      </LoadedRows>
      {ending && (
        <ConfirmDialog
          title={t`Delete the subscription`}
          button={t`Delete`}
          run={() => subscriptionDelete(ending)}
          onDone={close}
          onClose={close}
        >
          <Trans>
            <code>{ending.callbackUri}</code> gets no more notifications; the {number(ending.waiting)} pending ones are
            dropped. The subscriber is not informed and has to subscribe again.
          </Trans>
        </ConfirmDialog>
      )}
    </section>
  );
}

/** Viewers do not see the subscriptions, because addresses of endpoints often contain a secret. */
export function Subscriptions() {
  return (
    <RequireRole title={t`Operators only: subscriptions`} needs="operator">
      <SubscriptionList />
    </RequireRole>
  );
}
