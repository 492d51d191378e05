import type { OpOcc } from "@/api/types";
import { Checks } from "@/ui/Checks";
import { GRANTED_BY } from "@/ui/states";
import { Since } from "@/ui/Time";

/** Who allowed the operation, when, and on what grounds. */
export function GrantView({ occ }: { occ: OpOcc }) {
  const { grant } = occ;
  if (!grant) return <p className="vm-quiet">It has not been granted.</p>;
  return (
    <div className="vm-stack">
      <p>
        Granted by {GRANTED_BY[grant.grantedBy]} at <Since at={grant.at} />.
      </p>
      <Checks checks={grant.checks} />
    </div>
  );
}
