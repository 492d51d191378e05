import { Automation } from "@/automation/Automation";
import { Screen } from "@/ui/Screen";

export function Component() {
  return (
    <Screen title="Automation" lead="What heals and scales by itself, and why it did, or did not.">
      <Automation />
    </Screen>
  );
}
