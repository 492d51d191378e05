import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import InfoCircleIcon from "@patternfly/react-icons/dist/esm/icons/info-circle-icon";
import type { Query } from "@tanstack/react-query";
import { isTruncated } from "@/api/client";
import { number } from "./format";
import { queryLabel, useMatchingQueries } from "./queryLabels";

const isTruncatedQuery = (query: Query): boolean => query.isActive() && isTruncated(query.state.data);
const lengthOf = ({ state }: Query): number => (state.data as readonly unknown[]).length;

/** Says that a list is longer than the rows read, and what to do. */
export function TruncatedNotice() {
  const short = useMatchingQueries(isTruncatedQuery, (query) => String(lengthOf(query)));
  if (short.length === 0) return null;
  const words = new Set(
    short.map((query) => t`${queryLabel(query)}: only the first ${number(lengthOf(query))} are listed.`),
  );
  return (
    <div className="vm-stale" role="status">
      <span className="vm-state-icon vm-color-blue">
        <InfoCircleIcon />
      </span>
      <ul className="vm-plain-list">
        {[...words].map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
      <span>
        <Trans>The others are neither listed nor searched: narrow the list with a filter, or search with Ctrl K.</Trans>
      </span>
    </div>
  );
}
