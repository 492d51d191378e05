import { Trans } from "@lingui/react/macro";
import type { Look } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { Since } from "@/ui/Time";

interface Props {
  look: Look;
  /** As last seen, for when it cannot be seen any more. */
  last: Look;
  since: string;
  unknownSince: string | null;
}

/** A state and since when; what cannot be seen any more is unknown, with what it was last. */
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
