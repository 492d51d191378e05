import { t } from "@lingui/core/macro";
import { Automation } from "@/features/automation/Automation";
import { Screen } from "@/ui/Screen";

function AutomationPage() {
  return (
    <Screen title={t`Automation`} lead={t`Automatic healing and scaling, and the decisions behind it.`}>
      <Automation />
    </Screen>
  );
}

export { AutomationPage as Component };
