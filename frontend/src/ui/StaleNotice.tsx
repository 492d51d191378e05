import { Trans } from "@lingui/react/macro";
import { Button } from "@patternfly/react-core";
import ExclamationTriangleIcon from "@patternfly/react-icons/dist/esm/icons/exclamation-triangle-icon";
import { useMutation, useQueryClient, type Query } from "@tanstack/react-query";
import { useIsOffline } from "@/api/connection";
import { asProblem, inOurWords, isNoAnswer } from "@/api/problem";
import { queryLabel, useMatchingQueries } from "./queryLabels";
import { Since } from "./Time";

/** The query has data, but its last reading failed. */
const isStale = (query: Query): boolean =>
  query.state.status === "error" && query.state.data !== undefined && query.isActive();

/** "Not found" and "forbidden" are answers, and so is the refusal of what a user is typing. */
const ANSWERS = [400, 403, 404, 409, 422];

/** A query without data and without an answer. */
const isMissing = (query: Query): boolean =>
  query.state.status === "error" &&
  query.state.data === undefined &&
  query.isActive() &&
  !ANSWERS.includes(asProblem(query.state.error).status);

const isAmiss = (query: Query): boolean => isStale(query) || isMissing(query);

const stateOf = ({ state }: Query): string => `${state.dataUpdatedAt} ${state.errorUpdateCount}`;

const wordsOf = (query: Query): string => {
  const { title, detail } = asProblem(query.state.error);
  return `${queryLabel(query)}\n${inOurWords(detail || title)}`;
};

/**
 * Says since when and why data is out of date, and offers to try again. It observes every query of the page, so that
 * no query needs a notice of its own. A part that has no data at all shows the reason itself.
 */
export function StaleNotice() {
  const client = useQueryClient();
  const offline = useIsOffline();
  // The banner already says that the server is offline.
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
