import { t } from "@lingui/core/macro";
import { Plural, Trans } from "@lingui/react/macro";
import { Form, FormSelect, FormSelectOption } from "@patternfly/react-core";
import { lazy, Suspense, useMemo } from "react";
import type { Vnfd } from "@/api/types";
import { Field } from "@/ui/Field";
import { linkKind, plannedVnfcs } from "@/features/topology/planned";
import { useAddress } from "@/ui/address";
import { Panel } from "@/ui/Panel";
import { LoadingNote } from "@/ui/LoadingNote";
import { PlainTable } from "@/ui/PlainTable";

const PlannedTopology = lazy(() => import("@/features/topology/PlannedTopology"));

/** Shows the resources that the template creates at a flavour and level, as a drawing and as a table of ports. */
export function TopologyTab({ vnfd }: { vnfd: Vnfd }) {
  const [params, setAddress] = useAddress();
  const flavour = vnfd.flavours.find(({ id }) => id === params.get("flavour")) ?? vnfd.flavours[0];
  const levels = flavour?.instantiationLevels ?? [];
  const level =
    levels.find(({ id }) => id === params.get("level")) ??
    levels.find(({ id }) => id === flavour?.defaultInstantiationLevelId);
  const vnfcs = useMemo(
    () => (flavour && level ? plannedVnfcs(vnfd, flavour, level.scale) : []),
    [vnfd, flavour, level],
  );
  if (!flavour || !level)
    return (
      <p className="vm-quiet">
        <Trans>The VNFD has no deployment flavour.</Trans>
      </p>
    );
  const choose = (changed: Record<string, string>) => setAddress({ flavour: flavour.id, level: level.id, ...changed });
  const links = new Map(vnfd.virtualLinks.map((link) => [link.id, link]));
  return (
    <div className="vm-stack">
      <Form className="vm-choosers" aria-label={t`Drawing options`} onSubmit={(event) => event.preventDefault()}>
        <Field id="topology-flavour" label={t`Flavour`} help={flavour.description}>
          {(aria) => (
            <FormSelect {...aria} value={flavour.id} onChange={(_event, id) => choose({ flavour: id })}>
              {vnfd.flavours.map(({ id }) => (
                <FormSelectOption key={id} value={id} label={id} />
              ))}
            </FormSelect>
          )}
        </Field>
        <Field id="topology-level" label={t`Instantiation level`} help={level.description}>
          {(aria) => (
            <FormSelect {...aria} value={level.id} onChange={(_event, id) => choose({ level: id })}>
              {levels.map(({ id }) => (
                <FormSelectOption key={id} value={id} label={id} />
              ))}
            </FormSelect>
          )}
        </Field>
      </Form>
      <Suspense
        fallback={
          <LoadingNote>
            <Trans>Drawing…</Trans>
          </LoadingNote>
        }
      >
        <PlannedTopology key={`${flavour.id} ${level.id}`} vnfd={vnfd} flavour={flavour} vnfcs={vnfcs} />
      </Suspense>
      <p className="vm-quiet">
        <Trans>
          <Plural value={vnfcs.length} one="# VNFC" other="# VNFCs" />. A thick line is an SR-IOV port. The table below
          has the same data.
        </Trans>
      </p>
      <Panel title={t`Ports`} count={vnfcs.flatMap((vnfc) => vnfc.ports).length}>
        <PlainTable
          label={t`Ports`}
          head={["VNFC", t`Slot`, t`Connection point`, t`Virtual link`, t`Kind`, "vNIC"]}
          rows={vnfcs.flatMap((vnfc) =>
            vnfc.ports.map((port) => ({
              key: `${vnfc.id} ${port.cpId}`,
              cells: [
                vnfc.vdu.name,
                vnfc.slot,
                port.name,
                links.get(port.linkId)?.name ?? port.linkId,
                linkKind(links.get(port.linkId)),
                port.vnicType,
              ],
            })),
          )}
        />
      </Panel>
    </div>
  );
}
