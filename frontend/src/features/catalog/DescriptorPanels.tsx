import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { Descriptor, Vdu } from "@/api/types";
import { linkKind } from "@/features/topology/planned";
import { stepText } from "@/ui/stepText";
import { needsText, valueText } from "@/ui/format";
import { Panel } from "@/ui/Panel";
import { PlainTable } from "@/ui/PlainTable";

/** The template sets these values, so the operator cannot choose them. */
const fixedText = (vdu: Vdu): string => {
  const flavor = vdu.flavorResource ? t`its own flavor ${vdu.flavorResource}` : vdu.fixedFlavor || t`computed`;
  const parts = [
    ...(vdu.flavorParameter ? [] : [t`flavor: ${flavor}`]),
    ...(vdu.imageParameter ? [] : [t`image: ${vdu.fixedImage || t`computed`}`]),
  ];
  return parts.join(", ") || "—";
};

function Vdus({ vnfd }: { vnfd: Descriptor }) {
  const rows = vnfd.vdus.map((vdu) => ({
    key: vdu.id,
    cells: [
      <strong key="name">{vdu.name}</strong>,
      vdu.minimum === vdu.maximum ? vdu.minimum : t`${vdu.minimum} to ${vdu.maximum}`,
      needsText(vdu.needs),
      fixedText(vdu),
      vdu.description,
    ],
  }));
  return (
    <Panel title={t`VDUs and their requirements`} count={rows.length}>
      <PlainTable
        label={t`VDUs`}
        head={["VDU", "VNFCs", t`Requirements`, t`Fixed in the template`, t`Description`]}
        rows={rows}
      />
    </Panel>
  );
}

function Flavours({ vnfd }: { vnfd: Descriptor }) {
  return (
    <Panel title={t`Flavours and scaling`}>
      {vnfd.flavours.map((flavour) => (
        <div key={flavour.id} className="vm-stack vm-flavour">
          <p>
            <strong>{flavour.id}</strong> {flavour.description}
          </p>
          <PlainTable
            label={t`Instantiation levels of ${flavour.id}`}
            head={[t`Instantiation level`, t`Scale`, t`Description`]}
            rows={flavour.instantiationLevels.map((level) => ({
              key: level.id,
              cells: [
                <span key="id">
                  {level.id}{" "}
                  {level.id === flavour.defaultInstantiationLevelId && (
                    <span className="vm-quiet">
                      <Trans>(default)</Trans>
                    </span>
                  )}
                </span>,
                Object.entries(level.scale)
                  .map(([aspect, n]) => `${aspect}: ${n}`)
                  .join(", ") || "—",
                level.description,
              ],
            }))}
          />
          {flavour.scalingAspects.length > 0 && (
            <PlainTable
              label={t`Scaling aspects of ${flavour.id}`}
              head={[t`Scaling aspect`, t`Levels`, t`One step`, t`Description`]}
              rows={flavour.scalingAspects.map((aspect) => ({
                key: aspect.id,
                cells: [aspect.name, t`0 to ${aspect.maxScaleLevel}`, stepText(aspect.deltas), aspect.description],
              }))}
            />
          )}
        </div>
      ))}
    </Panel>
  );
}

function Links({ vnfd }: { vnfd: Descriptor }) {
  return (
    <Panel title={t`Virtual links`} count={vnfd.virtualLinks.length}>
      <PlainTable
        label={t`Virtual links`}
        head={[t`Virtual link`, t`Kind`, "vNIC", t`Description`]}
        rows={vnfd.virtualLinks.map((link) => ({
          key: link.id,
          cells: [
            link.name,
            link.fixedNetwork ? t`${linkKind(link)}, always ${link.fixedNetwork}` : linkKind(link),
            link.vnicType || "normal",
            link.description,
          ],
        }))}
      />
    </Panel>
  );
}

function ConnectionPoints({ vnfd }: { vnfd: Descriptor }) {
  const link = new Map(vnfd.virtualLinks.map((each) => [each.id, each.name]));
  const rows = vnfd.vdus.flatMap((vdu) =>
    vdu.connectionPoints.map((cp) => ({
      key: `${vdu.id} ${cp.id}`,
      cells: [vdu.name, cp.name, link.get(cp.virtualLinkId) ?? cp.virtualLinkId, cp.vnicType],
    })),
  );
  return (
    <Panel title={t`Connection points`} count={rows.length}>
      <PlainTable
        label={t`Connection points`}
        head={["VDU", t`Connection point`, t`Virtual link`, "vNIC"]}
        rows={rows}
      />
    </Panel>
  );
}

/** Rules that concern all VDUs together. */
function Rules({ vnfd }: { vnfd: Descriptor }) {
  const rules = [
    ...vnfd.limits.map((limit) => limit.message),
    ...vnfd.vdus.filter((vdu) => vdu.pairs).map((vdu) => t`${vdu.name}: scaled in pairs.`),
    ...vnfd.chains.map((chain) => t`${chain.vduId}: chained, each linked to its neighbours only.`),
    ...(vnfd.upgradeOrder.length > 0 ? [t`Upgrade order: ${vnfd.upgradeOrder.join(", ")}.`] : []),
  ];
  if (rules.length === 0) return null;
  return (
    <Panel title={t`Rules`} count={rules.length}>
      <ul className="vm-sentences" aria-label={t`Rules`}>
        {rules.map((rule) => (
          <li key={rule}>{rule}</li>
        ))}
      </ul>
    </Panel>
  );
}

function Settings({ vnfd }: { vnfd: Descriptor }) {
  return (
    <Panel title={t`Settings`} count={vnfd.settings.length}>
      <PlainTable
        label={t`Settings`}
        head={[t`Setting`, t`Group`, t`Type`, t`Default`, t`Description`]}
        rows={vnfd.settings.map((setting) => ({
          key: setting.name,
          cells: [
            <span key="label">
              {setting.label} <code className="vm-quiet">{setting.name}</code>
            </span>,
            setting.group,
            setting.format ?? setting.type,
            setting.hidden ? t`hidden` : valueText(setting.default),
            setting.description,
          ],
        }))}
      />
    </Panel>
  );
}

export function DescriptorPanels({ vnfd }: { vnfd: Descriptor }) {
  return (
    <div className="vm-stack">
      <Vdus vnfd={vnfd} />
      <Flavours vnfd={vnfd} />
      <Links vnfd={vnfd} />
      <ConnectionPoints vnfd={vnfd} />
      <Rules vnfd={vnfd} />
      <Settings vnfd={vnfd} />
    </div>
  );
}
