import { Trans } from "@lingui/react/macro";
import type { Look } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { Since } from "@/ui/Time";

interface Props {
  look: Look;
  /** The last known state, for a part that is no longer reported. */
  last: Look;
  since: string;
  unknownSince: string | null;
}

/** A part that is no longer reported is unknown; its last state is added. */
export function PartState({ look, last, since, unknownSince }: Props) {
  return (
    <span className="vm-labels">
      <StateLabel look={look} />
      <span className="vm-quiet">
        {unknownSince ? (
          <>
            <Trans>
              since <Since at={unknownSince} />; last {last.text.toLowerCase()}
            </Trans>
          </>
        ) : (
          <>
            <Trans>
              since <Since at={since} />
            </Trans>
          </>
        )}
      </span>
    </span>
  );
}
