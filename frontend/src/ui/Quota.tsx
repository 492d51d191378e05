import { t } from "@lingui/core/macro";
import { Progress, ProgressMeasureLocation, ProgressVariant } from "@patternfly/react-core";
import { number } from "./format";

interface Line {
  resource: string;
  used: number | null;
  limit: number | null;
  /** The plan's addition; negative for what it frees. */
  needed?: number;
}

const NEARLY_FULL = 90;
const NAMES: Record<string, string> = {
  instances: t`Instances`,
  cores: t`vCPUs`,
  ram_mib: t`Memory (GiB)`,
  server_groups: t`Server groups`,
  networks: t`Networks`,
  subnets: t`Subnets`,
  ports: t`Ports`,
  security_groups: t`Security groups`,
  volumes: t`Volumes`,
  gigabytes: t`Volumes (GiB)`,
};
const ORDER = Object.keys(NAMES);
/** All pages use the same order; unknown resources come last. */
const rankOf = ({ resource }: Line): number => (ORDER.indexOf(resource) + ORDER.length + 1) % (ORDER.length + 1);
const MIB_OF_GIB = 1024;
/** Memory is in GiB with one decimal. */
const figure = (resource: string, value: number): string =>
  resource === "ram_mib" ? number(Math.round((value / MIB_OF_GIB) * 10) / 10) : number(value);

function QuotaLine({ resource, used, limit, needed = 0 }: Line) {
  const change = needed === 0 ? "" : ` ${needed < 0 ? "−" : "+"} ${figure(resource, Math.abs(needed))}`;
  const now = used === null ? "?" : figure(resource, used);
  const name = NAMES[resource] ?? resource;
  if (limit === null || limit < 0) {
    // The cloud is not asked for its quota where a plan adds nothing: only the change is known.
    const isUnknown = used === null && limit === null;
    return (
      <div className="vm-quota-line">
        <span>{name}</span>
        <span className="vm-quiet">{isUnknown ? change.trim() || t`unknown` : t`${now}${change} used, unlimited`}</span>
      </div>
    );
  }
  const after = (used ?? 0) + needed;
  const share = limit === 0 ? 100 : Math.min(100, (after / limit) * 100);
  const variant = after > limit ? ProgressVariant.danger : share > NEARLY_FULL ? ProgressVariant.warning : undefined;
  const words = t`${now}${change} of ${figure(resource, limit)}`;
  return (
    <Progress
      title={name}
      value={share}
      label={words}
      valueText={words}
      measureLocation={ProgressMeasureLocation.top}
      size="sm"
      {...(variant ? { variant } : {})}
    />
  );
}

export function Quota({ lines }: { lines: readonly Line[] }) {
  return (
    <div className="vm-quota">
      {lines
        .toSorted((a, b) => rankOf(a) - rankOf(b))
        .map((line) => (
          <QuotaLine key={line.resource} {...line} />
        ))}
    </div>
  );
}
