import { Trans } from "@lingui/react/macro";
import { Button } from "@patternfly/react-core";
import ExclamationTriangleIcon from "@patternfly/react-icons/dist/esm/icons/exclamation-triangle-icon";
import { useMutation, useQueryClient, type Query } from "@tanstack/react-query";
import { useIsOffline } from "@/api/connection";
import { asProblem, inOurWords, isNoAnswer } from "@/api/problem";
import { queryLabel, useMatchingQueries } from "./queryLabels";
import { Since } from "./Time";

/** Shown now, was read once, and could not be read again. */
const isStale = (query: Query): boolean =>
  query.state.status === "error" && query.state.data !== undefined && query.isActive();

/** Wanted now, and could never be read. That there is no such thing, or no right to see it, is an answer. */
const isMissing = (query: Query): boolean =>
  query.state.status === "error" &&
  query.state.data === undefined &&
  query.isActive() &&
  ![403, 404].includes(asProblem(query.state.error).status);

const isAmiss = (query: Query): boolean => isStale(query) || isMissing(query);

const stateOf = ({ state }: Query): string => `${state.dataUpdatedAt} ${state.errorUpdateCount}`;

const wordsOf = (query: Query): string => {
  const { title, detail } = asProblem(query.state.error);
  return `${queryLabel(query)}\n${inOurWords(detail || title)}`;
};

/**
 * What is shown and could not be refreshed, since when and why; what could not be read at all, where the part that wants
 * it says why; and a way to try again. It hears of every query that is on the page, so that none needs a mark of its own.
 */
export function StaleNotice() {
  const client = useQueryClient();
  const offline = useIsOffline();
  // The banner says once that the server is away.
  const amiss = useMatchingQueries(isAmiss, stateOf).filter(({ state }) => !offline || !isNoAnswer(state.error));
  const again = useMutation({ mutationFn: () => client.refetchQueries({ predicate: isAmiss }) });
  if (amiss.length === 0) return null;
  const missing = [...new Set(amiss.filter(isMissing).map(queryLabel))];
  const groups = [...Map.groupBy(amiss.filter(isStale), wordsOf)];
  return (
    <div className="vm-stale" role="status">
      <span className="vm-state-icon vm-color-orange">
        <ExclamationTriangleIcon />
      </span>
      <ul className="vm-plain-list">
        {groups.map(([words, queries]) => {
          const [held, cause] = words.split("\n");
          const since = Math.min(...queries.map(({ state }) => state.dataUpdatedAt));
          return (
            <li key={words}>
              <Trans>
                {held} could not be refreshed since <Since at={new Date(since).toISOString()} />: {cause}
              </Trans>
            </li>
          );
        })}
        {missing.map((held) => (
          <li key={held}>
            <Trans>{held} could not be loaded.</Trans>
          </li>
        ))}
      </ul>
      <Button variant="link" isInline isLoading={again.isPending} onClick={() => again.mutate()}>
        <Trans>Try again</Trans>
      </Button>
    </div>
  );
}
