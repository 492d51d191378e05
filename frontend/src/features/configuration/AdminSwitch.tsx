import { t } from "@lingui/core/macro";
import { Checkbox } from "@patternfly/react-core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { elementAdminState } from "@/api/callsConfiguration";
import { ProblemError } from "@/api/problem";
import { keys } from "@/api/keys";
import type { Equipment, EquipmentClass, NetworkElement } from "@/api/types";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { ActionButton } from "@/ui/ActionButton";
import { useToast } from "@/ui/toasts";

type NextState = "UP" | "DOWN";
const WORDS: Record<NextState, string> = { UP: t`Bring up`, DOWN: t`Shut down` };
const UNKNOWN_WAY = "MANAGEMENT_PATH_UNKNOWN";
const CHANGED_MEANWHILE: Record<Equipment["adminState"], string> = {
  UP: t`Its state has changed: it is up now.`,
  DOWN: t`Its state has changed: it is down now.`,
  UNKNOWN: t`Its state has changed: it is unknown now.`,
};
const SWITCHED: ReadonlySet<EquipmentClass> = new Set(["PORT", "CARD", "MDA"]);

interface Props {
  element: NetworkElement;
  part: Equipment;
  title: string;
}

/** The tree shows the state that the element reports after the change. */
export function AdminSwitch({ element, part, title }: Props) {
  const client = useQueryClient();
  const toast = useToast();
  const [confirming, setConfirming] = useState<NextState>();
  const [isWayUnknown, setWayUnknown] = useState(false);
  const [isAccepted, setAccepted] = useState(false);
  const next: NextState = part.adminState === "UP" ? "DOWN" : "UP";
  const mayAsk = SWITCHED.has(part.equipmentClass) && part.adminState !== "UNKNOWN";
  function close() {
    setConfirming(undefined);
    setWayUnknown(false);
    setAccepted(false);
  }
  async function ask(adminState: NextState) {
    const accepted = isAccepted ? { evenIfManagementPathUnknown: true } : {};
    try {
      return await elementAdminState(element.id, { fdn: part.fdn, adminState, ...accepted });
    } catch (error) {
      if (error instanceof ProblemError && error.problem.code === UNKNOWN_WAY) setWayUnknown(true);
      throw error;
    }
  }
  const whyNot = (element.netconfPolicyId ?? element.sshPolicyId) ? "" : t`It has no NETCONF or SSH policy.`;
  return (
    <>
      {mayAsk && (
        <ActionButton
          action={{ action: "admin_state", enabled: whyNot === "", disabledReason: whyNot }}
          variant="secondary"
          size="sm"
          isDanger={next === "DOWN"}
          onClick={() => setConfirming(next)}
        >
          {WORDS[next]}
        </ActionButton>
      )}
      {confirming && (
        <ConfirmDialog
          title={confirming === "UP" ? t`Bring up ${title}` : t`Shut down ${title}`}
          button={WORDS[confirming]}
          danger={confirming === "DOWN"}
          run={() => ask(confirming)}
          onDone={() => {
            close();
            void client.invalidateQueries({ queryKey: keys.configurationJobs });
            toast({
              variant: "info",
              title: t`${WORDS[confirming]}: requested on ${element.name}`,
              body: t`The tree updates automatically.`,
            });
          }}
          onClose={close}
        >
          {confirming === "DOWN"
            ? t`Traffic over it stops. The configuration before the change is saved as a version.`
            : t`It carries traffic again, as configured.`}
          {isWayUnknown && (
            <Checkbox
              id="even-if-management-path-unknown"
              label={t`Not the management port`}
              isChecked={isAccepted}
              onChange={(_event, checked) => setAccepted(checked)}
            />
          )}
          {(!mayAsk || confirming !== next) && (
            <p role="alert">
              <strong>{CHANGED_MEANWHILE[part.adminState]}</strong>
            </p>
          )}
        </ConfirmDialog>
      )}
    </>
  );
}
