import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Link } from "react-router";
import type { CloudHealth } from "@/api/frame";
import { pb } from "@/paths";
import { Panel } from "@/ui/Panel";
import { Quota } from "@/ui/Quota";
import { conditionLook } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { Ago, Since } from "@/ui/Time";

/** Deployments usually lack these resources first; the cloud's page shows the others. */
const RESOURCES = ["cores", "ram_mib", "instances", "networks", "ports"];

function FreeCapacity({ cloud }: { cloud: CloudHealth }) {
  const lines = RESOURCES.flatMap((resource) => {
    const quota = cloud.quotas[resource];
    return quota ? [{ resource, ...quota }] : [];
  });
  if (cloud.quotasUnknownSince) {
    return (
      <p className="vm-quiet">
        <Trans>
          Free capacity unknown since <Since at={cloud.quotasUnknownSince} />.
        </Trans>
        {cloud.quotasAt && (
          <>
            {" "}
            <Trans>
              Last read <Ago at={cloud.quotasAt} />.
            </Trans>
          </>
        )}
      </p>
    );
  }
  if (lines.length === 0)
    return (
      <p className="vm-quiet">
        <Trans>The cloud reports no quotas.</Trans>
      </p>
    );
  return <Quota lines={lines} />;
}

export function Capacity({ clouds }: { clouds: readonly CloudHealth[] }) {
  return (
    <Panel
      title={t`Free capacity of clouds`}
      actions={
        <Link to={pb.vims()}>
          <Trans>All clouds</Trans>
        </Link>
      }
    >
      <ul className="vm-capacity" aria-label={t`Clouds`}>
        {clouds.map((cloud) => (
          <li key={cloud.id}>
            <div className="vm-capacity-head">
              <Link to={pb.vim(cloud.id)}>{cloud.name}</Link>
              <StateLabel look={conditionLook(cloud.reachable)} title={cloud.reachable.message} />
              <span className="vm-quiet">
                <Trans>
                  since <Since at={cloud.reachable.lastTransitionTime} />
                </Trans>
              </span>
            </div>
            <FreeCapacity cloud={cloud} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}
