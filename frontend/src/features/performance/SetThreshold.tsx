import { t } from "@lingui/core/macro";
import BellIcon from "@patternfly/react-icons/dist/esm/icons/bell-icon";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { thresholdRuleCreate } from "@/api/callsThresholds";
import { keys } from "@/api/keys";
import { RecordDialog } from "@/records/RecordDialog";
import { ChangeButton } from "@/ui/ActionButton";
import { useToast } from "@/ui/toasts";
import { freshRule, presetClearValues, ruleFields, ruleInput, type Place } from "./thresholdFields";

export async function createRule(place: Place, input: Record<string, unknown>): Promise<unknown> {
  const request = ruleInput(place, input);
  return request && thresholdRuleCreate(request.body, request.unit);
}

interface Props extends Place {
  /** Name of the chart. */
  name: string;
}

/** The form starts with the chart's last line. */
export function SetThreshold({ name, ...place }: Props) {
  const client = useQueryClient();
  const toast = useToast();
  // New values while the dialog is open must not change the form.
  const [at, setAt] = useState<Place>();
  return (
    <>
      <ChangeButton
        variant="plain"
        size="sm"
        icon={<BellIcon />}
        aria-label={t`Set a threshold in ${name}`}
        title={t`Set a threshold`}
        onClick={() => setAt(place)}
      />
      {at && (
        <RecordDialog
          title={t`Set a threshold`}
          lead={t`An alarm is raised while the counter is beyond the threshold.`}
          button={t`Add`}
          fields={ruleFields(at, undefined)}
          initial={freshRule(at)}
          isNew
          presets={(draft) => presetClearValues(at, draft)}
          save={(input) => createRule(at, input)}
          onSaved={() => {
            setAt(undefined);
            toast({ variant: "success", title: t`Threshold set` });
            void client.invalidateQueries({ queryKey: keys.thresholdRules });
            void client.invalidateQueries({ queryKey: keys.thresholds });
          }}
          onClose={() => setAt(undefined)}
        />
      )}
    </>
  );
}
