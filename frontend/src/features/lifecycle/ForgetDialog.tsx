import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { vnfInstanceForget } from "@/api/calls";
import { keys } from "@/api/keys";
import { noteDeleted } from "@/api/live";
import type { StackExport, VnfInstance } from "@/api/types";
import { pb } from "@/paths";
import { ConfirmDialog } from "@/ui/ConfirmDialog";

export interface ForgetResult {
  name: string;
  left: StackExport;
}

export function ForgetDialog({ instance, onClose }: { instance: VnfInstance; onClose: () => void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  async function forget() {
    const forgotten: ForgetResult = { name: instance.name, left: await vnfInstanceForget(instance.id, instance.name) };
    noteDeleted(client, instance.id);
    // The result may contain secrets, so it stays in memory only.
    client.setQueryDefaults(keys.forgotten(instance.id), { gcTime: Infinity });
    client.setQueryData(keys.forgotten(instance.id), forgotten);
  }
  return (
    <ConfirmDialog
      title={t`Stop managing ${instance.name}`}
      button={t`Stop managing`}
      typed={{ name: instance.name, label: t`Name of the instance` }}
      run={forget}
      onDone={() => {
        void client.invalidateQueries({ queryKey: keys.vnfInstances });
        void navigate(pb.forgotten(instance.id));
      }}
      onClose={onClose}
    >
      <p>
        <Trans>
          The VNF manager stops managing it. Its resources keep running in the cloud. You get the last templates and
          parameters of Heat to continue by hand. The stack can be adopted again later.
        </Trans>
      </p>
    </ConfirmDialog>
  );
}
