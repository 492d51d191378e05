import { t } from "@lingui/core/macro";
import type { Vnfd } from "@/api/types";
import { settingField, type PolicyName } from "@/features/settings/settingFields";
import { PolicyFields } from "@/features/settings/PolicyFields";
import type { StepProps } from "./VnfAndCloudSteps";

const HELP: Record<PolicyName, string> = {
  snmpPolicy: t`With one, deployment completes when the router responds and its cards are in service.`,
  sshPolicy: t`With one, the package's first configuration is loaded over the SSH command line.`,
  netconfPolicy: t`With one, the first configuration is loaded by NETCONF instead; the package must contain it as XML.`,
};

export function ManagementFields({ vnfd, draft, change }: StepProps & { vnfd: Vnfd }) {
  return (
    <PolicyFields
      vnfd={vnfd}
      vimId={draft.vimId}
      help={HELP}
      valueOf={(name) => draft.raw[name] ?? ""}
      errorOf={(name) => draft.errors[settingField(name)]}
      onChange={(name, raw) => change({ type: "setting", name, raw })}
    />
  );
}
