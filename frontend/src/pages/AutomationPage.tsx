import { t } from "@lingui/core/macro";
import { Automation } from "@/features/automation/Automation";
import { Screen } from "@/ui/Screen";

function AutomationPage() {
  return (
    <Screen title={t`Automation`}>
      <Automation />
    </Screen>
  );
}

export { AutomationPage as Component };
