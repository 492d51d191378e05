import { QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { createQueryClient, q } from "@/api/queries";
import type { ManagementProfile, MediationPolicy, Vnfd } from "@/api/types";
import { PolicyFields } from "./PolicyFields";
import { UNMANAGED, type PolicyName } from "./settingFields";

const POLICIES = [
  { id: "1", name: "core-snmp", protocol: "SNMPv3" },
  { id: "2", name: "core-ssh", protocol: "SSH" },
] as MediationPolicy[];
const PROFILE = { name: "any", vimId: null, provider: "", productName: "", snmpPolicyId: "1" } as ManagementProfile;
const HELP = { snmpPolicy: "", sshPolicy: "", netconfPolicy: "" };

function snmpPolicy(raw: Partial<Record<PolicyName, string>>, profiles: ManagementProfile[]) {
  const client = createQueryClient();
  client.setQueryData(q.mediationPolicies().queryKey, POLICIES);
  client.setQueryData(q.managementProfiles().queryKey, profiles);
  render(
    <QueryClientProvider client={client}>
      <PolicyFields
        vnfd={{ provider: "Nokia", productName: "VSR-PE" } as Vnfd}
        vimId="here"
        help={HELP}
        valueOf={(name) => raw[name] ?? ""}
        errorOf={() => undefined}
        onChange={() => undefined}
      />
    </QueryClientProvider>,
  );
  const field = screen.getByLabelText<HTMLSelectElement>("SNMP policy");
  return { field, options: [...field.options].map((option) => option.label) };
}

it.each([
  [{}, [PROFILE], "core-snmp (by profile)"],
  [{ snmpPolicy: "core-snmp" }, [PROFILE], "By profile"],
  [{ sshPolicy: "core-ssh" }, [PROFILE], "None"],
  [{ sshPolicy: "core-ssh" }, [], "None"],
  [{}, [], "Not managed"],
])("with %j and profiles %j no SNMP policy means: %s", (raw, profiles, label) => {
  expect(snmpPolicy(raw, profiles).options[0]).toBe(label);
});

it.each([[[PROFILE]], [[]]])("shows that a request declines management, with profiles %j", (profiles) => {
  const { field, options } = snmpPolicy({ snmpPolicy: UNMANAGED }, profiles);
  expect(field).toHaveDisplayValue("Do not manage");
  expect(options).toContain("core-snmp");
});

it.each([
  [[PROFILE], true],
  [[], false],
])("offers to decline what a profile would bring: %j", (profiles, offered) => {
  expect(snmpPolicy({}, profiles).options.includes("Do not manage")).toBe(offered);
});
