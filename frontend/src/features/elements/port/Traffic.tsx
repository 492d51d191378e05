import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { q } from "@/api/queries";
import type { NetworkElement } from "@/api/types";
import { pb } from "@/paths";
import { AddToBoard } from "@/features/performance/AddToBoard";
import { ofElement } from "@/features/performance/boardSeries";
import { Facts, type Fact } from "@/ui/Facts";
import { number } from "@/ui/format";
import { LoadingNote } from "@/ui/LoadingNote";
import { ProblemAlert } from "@/ui/Problem";
import { Ago, ExactTime, Since } from "@/ui/Time";
import { speedText } from "@/ui/speed";
import { lastCounted, type LastCounted } from "./counterNames";

const HOUR = 1;
const WEEK = 168;
const BITS = 8;

const rounded = (value: number): string => number(Math.round(value * 100) / 100);
type Values = LastCounted["values"];

function rate(values: Values, way: "In" | "Out"): string {
  const [octets, share] = [values[`octets${way}`] ?? null, values[`utilisation${way}`] ?? null];
  if (octets === null) return t`unknown`;
  const used = share === null ? t`utilisation unknown: speed unknown` : t`${rounded(share)} % of speed`;
  return `${speedText(Math.round(octets * BITS))}, ${used}`;
}
const pace = (value: number | null | undefined): string =>
  value === null || value === undefined ? t`unknown` : t`${rounded(value)} per second`;
const both = (values: Values, what: "errors" | "discards"): string =>
  t`in ${pace(values[`${what}In`])}, out ${pace(values[`${what}Out`])}`;

/** The last hour has no counters, so the last week is read with longer steps to find the last value. */
function NotLately({ element, object }: { element: NetworkElement; object: string }) {
  const { data, error, dataUpdatedAt } = useQuery(q.counters(element.id, object, WEEK));
  if (error && !data) return <ProblemAlert error={error} />;
  if (!data)
    return (
      <LoadingNote>
        <Trans>Loading the last counters…</Trans>
      </LoadingNote>
    );
  const last = lastCounted(data, dataUpdatedAt);
  return (
    <p>
      {last ? (
        <Trans>
          Unknown: no counters in the last hour, nor since <ExactTime at={last.until} />.
        </Trans>
      ) : (
        <Trans>Unknown: no counters in the last 7 days.</Trans>
      )}{" "}
      {element.state === "MANAGED"
        ? t`Counters need an element that responds to SNMP.`
        : t`The element is not managed.`}
    </p>
  );
}

function Now({ element, object }: { element: NetworkElement; object: string }) {
  const { data, error, dataUpdatedAt } = useQuery(q.counters(element.id, object, HOUR));
  if (error && !data) return <ProblemAlert error={error} />;
  if (!data)
    return (
      <LoadingNote>
        <Trans>Loading the counters…</Trans>
      </LoadingNote>
    );
  const last = lastCounted(data, dataUpdatedAt);
  if (!last) return <NotLately element={element} object={object} />;
  if (last.isLate) {
    return (
      <p>
        <Trans>
          Unknown since <Since at={last.until} />: no counters since then.
        </Trans>
      </p>
    );
  }
  const facts: Fact[] = [
    [t`In`, rate(last.values, "In")],
    [t`Out`, rate(last.values, "Out")],
    [t`Errors`, both(last.values, "errors")],
    [t`Discards`, both(last.values, "discards")],
    [
      t`Counted`,
      <span key="counted">
        <Trans>
          over one minute, <Ago at={last.until} />
        </Trans>
      </span>,
    ],
  ];
  return <Facts facts={facts} />;
}

/** `object` is the name under which its counters are stored. */
export function Traffic({ element, object }: { element: NetworkElement; object: string }) {
  return (
    <>
      <Now element={element} object={object} />
      <p>
        <Link to={pb.counters(element.id, object)}>
          <Trans>Counters over time</Trans>
        </Link>{" "}
        <AddToBoard
          name={object}
          title={`${element.name} · ${object}`}
          series={["octetsIn", "octetsOut"].map((counter) => ofElement({ elementId: element.id, object, counter }))}
        />
      </p>
    </>
  );
}
