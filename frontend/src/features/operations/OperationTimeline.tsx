import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { q } from "@/api/queries";
import type { OpOcc } from "@/api/types";
import { LoadingNote } from "@/ui/LoadingNote";
import { ProblemAlert } from "@/ui/Problem";
import { Since } from "@/ui/Time";

export function OperationTimeline({ occ }: { occ: OpOcc }) {
  const { data, error } = useQuery(q.story(occ.id));
  if (error && !data) return <ProblemAlert error={error} />;
  if (!data)
    return (
      <LoadingNote>
        <Trans>Loading the timeline…</Trans>
      </LoadingNote>
    );
  return (
    <ol className="vm-story" aria-label={t`Timeline`}>
      {data.map((sentence, index) => (
        <li key={`${index} ${sentence.at}`}>
          <span className="vm-story-time">
            <Since at={sentence.at} />
          </span>
          <span>{sentence.text}</span>
        </li>
      ))}
    </ol>
  );
}
