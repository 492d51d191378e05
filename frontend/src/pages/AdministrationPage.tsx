import { AlarmPolicies } from "@/administration/alarm-policies";
import { AuditTrail } from "@/administration/audit";
import { DiscoveryRules } from "@/administration/discovery";
import { MaintenanceWindows } from "@/administration/maintenance";
import { MEDIATION_POLICIES } from "@/administration/policies";
import { SITES } from "@/administration/sites";
import { Subscriptions } from "@/administration/subscriptions";
import { Users } from "@/administration/users";
import { Records } from "@/records/Records";
import { PageTabs } from "@/ui/PageTabs";
import { Screen } from "@/ui/Screen";

export function Component() {
  return (
    <Screen
      title="Administration"
      lead="How network elements are found and reached, how alarms are dealt with, who may do what, and who did."
    >
      <PageTabs
        label="Parts of the administration"
        parts={[
          { key: "sites", title: "Sites", content: () => <Records kind={SITES} /> },
          { key: "policies", title: "Mediation policies", content: () => <Records kind={MEDIATION_POLICIES} /> },
          { key: "discovery", title: "Discovery", content: () => <DiscoveryRules /> },
          { key: "alarm-policies", title: "Alarm policies", content: () => <AlarmPolicies /> },
          { key: "maintenance", title: "Maintenance windows", content: () => <MaintenanceWindows /> },
          { key: "subscriptions", title: "Subscriptions", content: () => <Subscriptions /> },
          { key: "users", title: "Users", content: () => <Users /> },
          { key: "audit", title: "Audit trail", content: () => <AuditTrail /> },
        ]}
      />
    </Screen>
  );
}
