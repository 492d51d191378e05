import { Trans } from "@lingui/react/macro";
import type { OpOcc } from "@/api/types";
import { GrantChecks } from "@/ui/GrantChecks";
import { GRANTED_BY } from "@/ui/states";
import { Since } from "@/ui/Time";

export function GrantView({ occ }: { occ: OpOcc }) {
  const { grant } = occ;
  if (!grant)
    return (
      <p className="vm-quiet">
        <Trans>Not granted.</Trans>
      </p>
    );
  return (
    <div className="vm-stack">
      <p>
        <Trans>
          Granted by {GRANTED_BY[grant.grantedBy]} at <Since at={grant.at} />.
        </Trans>
      </p>
      <GrantChecks checks={grant.checks} />
    </div>
  );
}
