import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { ToggleGroup, ToggleGroupItem } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { useNavigate } from "react-router";
import ServerIcon from "@patternfly/react-icons/dist/esm/icons/server-icon";
import { q } from "@/api/queries";
import type { NetworkElement } from "@/api/types";
import { pb } from "@/paths";
import { useAddress } from "@/ui/address";
import { Empty } from "@/ui/Empty";
import { Panel } from "@/ui/Panel";
import { LoadingNote } from "@/ui/LoadingNote";
import { ProblemAlert } from "@/ui/Problem";
import { NO_SITE } from "@/records/siteOptions";
import { PartPanel } from "./PartPanel";
import { fdnOf } from "./equipment";
import { NETWORK_FDN } from "@/api/network";
import { EquipmentTree } from "./EquipmentTree";

const ChassisDrawing = lazy(() => import("./drawing/ChassisDrawing"));

const PART = "part";
const VIEW = "equipment";
const DRAWING = "drawing";

function EquipmentView({ isDrawn, onChange }: { isDrawn: boolean; onChange: (isDrawn: boolean) => void }) {
  return (
    <ToggleGroup aria-label={t`Equipment view`} isCompact>
      <ToggleGroupItem
        buttonId="equipment-tree"
        text={t`Tree`}
        isSelected={!isDrawn}
        onChange={() => onChange(false)}
      />
      <ToggleGroupItem
        buttonId="equipment-drawing"
        text={t`Drawing`}
        isSelected={isDrawn}
        onChange={() => onChange(true)}
      />
    </ToggleGroup>
  );
}

function PartNotFound({ asked }: { asked: string }) {
  return (
    <Panel title={t`Part not found`}>
      <p>
        <Trans>
          The element does not list <code>{asked}</code>: it was removed, or the management address of the element has
          changed.
        </Trans>
      </p>
    </Panel>
  );
}

/** The address holds the chosen part, which is shown next to the tree. */
export function EquipmentTab({ element }: { element: NetworkElement }) {
  const { data: parts, error } = useQuery(q.equipment(element.id));
  const [params, setAddress] = useAddress();
  const navigate = useNavigate();
  const asked = params.get(PART) ?? "";
  // The drawing of a VNF instance uses the same parameter for its own parts.
  const chosen = asked.startsWith(`${NETWORK_FDN}:`) ? asked : "";
  if (error && !parts) return <ProblemAlert error={error} level="h2" />;
  if (!parts)
    return (
      <LoadingNote>
        <Trans>Loading the equipment…</Trans>
      </LoadingNote>
    );
  if (parts.length === 0) {
    return (
      <Empty title={t`No equipment`} icon={ServerIcon}>
        {element.state === "MANAGED"
          ? t`The first resync reads it; this page updates automatically.`
          : t`This element is not polled. Manage it to read its equipment.`}
      </Empty>
    );
  }
  const part = parts.find(({ fdn }) => fdn === chosen);
  function choose(fdn: string) {
    if (fdn === NETWORK_FDN) void navigate(pb.network(element.siteId ?? NO_SITE));
    else setAddress({ [PART]: fdn });
  }
  const isDrawn = params.get(VIEW) === DRAWING;
  const view = { element, parts, chosen, onChoose: choose };
  const missing = chosen === fdnOf(element) ? "" : chosen;
  return (
    <div className={isDrawn || !(part || missing) ? "vm-stack" : "vm-tree-columns"}>
      <Panel
        title={t`Equipment`}
        count={parts.length}
        actions={<EquipmentView isDrawn={isDrawn} onChange={(drawn) => setAddress({ [VIEW]: drawn ? DRAWING : "" })} />}
      >
        {isDrawn ? (
          <Suspense
            fallback={
              <LoadingNote>
                <Trans>Drawing…</Trans>
              </LoadingNote>
            }
          >
            <ChassisDrawing {...view} />
          </Suspense>
        ) : (
          <EquipmentTree {...view} />
        )}
      </Panel>
      {part ? <PartPanel key={part.fdn} element={element} part={part} /> : missing && <PartNotFound asked={missing} />}
    </div>
  );
}
