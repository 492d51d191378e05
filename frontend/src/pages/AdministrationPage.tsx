import { t } from "@lingui/core/macro";
import { AlarmPolicies } from "@/features/administration/AlarmPolicies";
import { AlarmRoutes } from "@/features/administration/AlarmRoutes";
import { ApiClients } from "@/features/administration/ApiClients";
import { AuditTrail } from "@/features/administration/AuditTrail";
import { DiscoveryRules } from "@/features/administration/DiscoveryRules";
import { MaintenanceWindows } from "@/features/administration/MaintenanceWindows";
import { MANAGEMENT_PROFILES } from "@/features/administration/managementProfiles";
import { MEDIATION_POLICIES } from "@/features/administration/mediationPolicies";
import { SITES } from "@/features/administration/siteRecords";
import { Subscriptions } from "@/features/administration/Subscriptions";
import { Users } from "@/features/administration/Users";
import { Records } from "@/records/Records";
import { PageTabs } from "@/ui/PageTabs";
import { Screen } from "@/ui/Screen";

function AdministrationPage() {
  return (
    <Screen title={t`Administration`}>
      <PageTabs
        label={t`Administration`}
        parts={[
          { key: "sites", title: t`Sites`, content: () => <Records kind={SITES} /> },
          { key: "policies", title: t`Mediation`, content: () => <Records kind={MEDIATION_POLICIES} /> },
          { key: "profiles", title: t`Management profiles`, content: () => <Records kind={MANAGEMENT_PROFILES} /> },
          { key: "discovery", title: t`Discovery`, content: () => <DiscoveryRules /> },
          { key: "alarm-policies", title: t`Alarm policies`, content: () => <AlarmPolicies /> },
          { key: "alarm-routes", title: t`Alarm routes`, content: () => <AlarmRoutes /> },
          { key: "maintenance", title: t`Maintenance`, content: () => <MaintenanceWindows /> },
          { key: "subscriptions", title: t`Subscriptions`, content: () => <Subscriptions /> },
          { key: "users", title: t`Users`, content: () => <Users /> },
          { key: "api-clients", title: t`API clients`, content: () => <ApiClients /> },
          { key: "audit", title: t`Audit trail`, content: () => <AuditTrail /> },
        ]}
      />
    </Screen>
  );
}

export { AdministrationPage as Component };
