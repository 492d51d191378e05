import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { ReactNode } from "react";
import type { Descriptor, Vdu } from "@/api/types";
import { Facts, type Fact } from "@/ui/Facts";
import { stepText } from "@/ui/stepText";
import { needsText } from "@/ui/format";

const howMany = ({ minimum, maximum }: Vdu): string =>
  minimum === maximum ? String(minimum) : t`${minimum} to ${maximum}`;

const volumesText = ({ volumes, volumesGib }: Vdu): string =>
  volumes > 0 ? t`${plural(volumes, { one: "# volume", other: "# volumes" })} (${volumesGib} GiB)` : "";

function Lines({ lines }: { lines: [key: string, line: ReactNode][] }) {
  if (lines.length === 0) return "—";
  return (
    <ul className="vm-lines">
      {lines.map(([key, line]) => (
        <li key={key}>{line}</li>
      ))}
    </ul>
  );
}

export function DescriptorSummary({ vnfd }: { vnfd: Descriptor }) {
  const aspects = vnfd.flavours.flatMap((flavour) => flavour.scalingAspects);
  const external = vnfd.virtualLinks.filter((link) => !link.internal);
  const parts: Fact[] = [
    [
      "VDUs",
      <Lines
        key="vdus"
        lines={vnfd.vdus.map((vdu) => [
          vdu.id,
          <>
            <strong>{howMany(vdu)}</strong> {vdu.name}{" "}
            <span className="vm-quiet">{[needsText(vdu.needs), volumesText(vdu)].filter(Boolean).join(", ")}</span>
          </>,
        ])}
      />,
    ],
    [
      t`Scaling aspects`,
      <Lines
        key="aspects"
        lines={[...new Map(aspects.map((aspect) => [aspect.id, aspect])).values()].map((aspect) => [
          aspect.id,
          t`${aspect.name}: 0 to ${aspect.maxScaleLevel}, ${stepText(aspect.deltas)} per step`,
        ])}
      />,
    ],
    [
      t`External connection points`,
      <Lines
        key="external"
        lines={external.flatMap((link) =>
          vnfd.vdus.flatMap((vdu) =>
            vdu.connectionPoints
              .filter((cp) => cp.virtualLinkId === link.id)
              .map((cp): [string, ReactNode] => [
                `${vdu.id} ${cp.id}`,
                <>
                  {vdu.name}: {cp.name}{" "}
                  <span className="vm-quiet">
                    <Trans>on {link.name}</Trans>
                  </span>
                </>,
              ]),
          ),
        )}
      />,
    ],
  ];
  return <Facts facts={parts} isStacked />;
}
