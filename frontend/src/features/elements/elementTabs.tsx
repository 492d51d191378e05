import { t } from "@lingui/core/macro";
import type { NetworkElement } from "@/api/types";
import { ConfigurationTab } from "@/features/configuration/ConfigurationTab";
import { CountersTab } from "@/features/configuration/CountersTab";
import { EquipmentTab } from "./EquipmentTab";
import { InterfacesTab } from "./InterfacesTab";

/** The page of an element and that of its VNF instance share these tabs. */
export const partsOf = (element: NetworkElement) => ({
  equipment: { key: "equipment", title: t`Equipment`, content: () => <EquipmentTab element={element} /> },
  interfaces: { key: "interfaces", title: t`Interfaces`, content: () => <InterfacesTab element={element} /> },
  configuration: {
    key: "configuration",
    title: t`Configuration`,
    content: () => <ConfigurationTab element={element} />,
  },
  counters: { key: "counters", title: t`Counters`, content: () => <CountersTab element={element} /> },
});
