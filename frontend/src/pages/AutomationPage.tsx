import { t } from "@lingui/core/macro";
import { Automation } from "@/features/automation/Automation";
import { Screen } from "@/ui/Screen";

function AutomationPage() {
  return (
    <Screen title={t`Automation`} lead={t`What heals and scales by itself, and why it did, or did not.`}>
      <Automation />
    </Screen>
  );
}

export { AutomationPage as Component };
