import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import PaperPlaneIcon from "@patternfly/react-icons/dist/esm/icons/paper-plane-icon";
import { useMutation, useQuery } from "@tanstack/react-query";
import {
  routeCreate,
  routeDelete,
  routeInput,
  routeKeys,
  routeQueries,
  routeTest,
  routeUpdate,
  type AlarmRoute,
  type AlarmRouteRow,
} from "@/api/alarmRoutes";
import { asProblem } from "@/api/problem";
import { Records, type RecordKind } from "@/records/Records";
import { ChangeButton } from "@/ui/ActionButton";
import { number } from "@/ui/format";
import { RequireRole } from "@/ui/RequireRole";
import { StateLabel } from "@/ui/StateLabel";
import { DELIVERING, lookOf, SEVERITY } from "@/ui/states";
import { Ago } from "@/ui/Time";
import { useToast } from "@/ui/toasts";
import { CHANNEL, FRESH_ROUTE, routeFields } from "./alarmRouteFields";
import { RouteDeliveries } from "./RouteDeliveries";

/** Some channels do not confirm that a message arrived. */
function Delivering({ enabled, conditions: [condition] }: AlarmRoute) {
  if (!enabled) return <Trans>Inactive</Trans>;
  if (!condition) return <Trans>unknown</Trans>;
  return (
    <>
      <StateLabel look={lookOf(DELIVERING, condition.status)} />{" "}
      <span className="vm-quiet">
        <Trans>
          since <Ago at={condition.lastTransitionTime} />
        </Trans>
      </span>
      {condition.status !== "True" && <div className="vm-quiet vm-normal">{condition.message}</div>}
    </>
  );
}

function TestButton({ route }: { route: AlarmRoute }) {
  const toast = useToast();
  const test = useMutation({
    mutationFn: () => routeTest(route.id),
    onSuccess: () =>
      toast({
        variant: "success",
        title: t`Test message sent by ${route.name}`,
        body: t`See whether it arrives: syslog and SNMP confirm nothing.`,
      }),
    onError: (error) => {
      const { detail, nextStep } = asProblem(error);
      toast({
        variant: "danger",
        title: t`The test message of ${route.name} was not sent`,
        body: [detail, nextStep].join(" "),
      });
    },
  });
  return (
    <ChangeButton
      needs="admin"
      variant="secondary"
      size="sm"
      aria-label={t`Test ${route.name}`}
      isLoading={test.isPending}
      onClick={() => test.mutate()}
    >
      <Trans>Test</Trans>
    </ChangeButton>
  );
}

const KIND: RecordKind<AlarmRouteRow> = {
  toAdd: t`Add an alarm route`,
  noneYet: t`No alarm routes yet`,
  isGone: t`This alarm route no longer exists`,
  many: t`Alarm routes`,
  name: "alarm-routes",
  nameOf: ({ name }) => name,
  lead: t`Send alarms by mail, to a webhook, to a syslog server or SIEM, or as SNMP traps. Servers in private networks must be in VNFM_SUBSCRIBERS_ALLOWED.`,
  needs: "admin",
  icon: PaperPlaneIcon,
  empty: t`A route sends the alarms that you choose to people or to a SIEM: by mail, webhook, syslog or SNMP trap. Alarms of one fault are one message.`,
  useList: () => useQuery(routeQueries.routes()),
  queryKey: routeKeys.routes,
  columns: [
    { title: t`Name`, isName: true, sort: ({ name }) => name, cell: ({ name }) => name },
    {
      title: t`Channel`,
      width: 15,
      sort: ({ channel }) => CHANNEL[channel],
      cell: ({ channel, place }) => (
        <>
          {CHANNEL[channel]}
          <div className="vm-quiet vm-normal">{place}</div>
        </>
      ),
    },
    {
      title: t`Severity at least`,
      cell: ({ criteria }) => <StateLabel look={lookOf(SEVERITY, criteria.minSeverity ?? "INDETERMINATE")} />,
    },
    { title: t`State`, width: 20, cell: Delivering },
    {
      title: t`Waiting`,
      sort: ({ waiting }) => waiting,
      cell: ({ waiting }) => <span className="vm-number">{number(waiting)}</span>,
    },
  ],
  fields: routeFields,
  fresh: FRESH_ROUTE,
  create: (input) => routeCreate(routeInput(input)),
  update: (row, input) => routeUpdate(row.id, routeInput(input, row), row.version),
  remove: ({ id, version }) => routeDelete(id, version),
  removal: t`The route sends nothing more, and the alarms that wait for it are dropped.`,
  actions: (row) => (
    <>
      <TestButton route={row} />
      <RouteDeliveries route={row} />
    </>
  ),
};

/** Viewers do not see the routes, because addresses of webhooks often contain a secret. */
export function AlarmRoutes() {
  return (
    <RequireRole title={t`Operators only: alarm routes`} needs="operator">
      <Records kind={KIND} />
    </RequireRole>
  );
}
