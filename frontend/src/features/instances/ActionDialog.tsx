import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { vnfInstanceDelete } from "@/api/calls";
import { keys } from "@/api/keys";
import { noteDeleted } from "@/api/live";
import type { Vnfc, VnfInstance } from "@/api/types";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { SaveInstanceSettings } from "@/features/instantiate/SaveInstanceSettings";
import { ChangeExtConnDialog } from "@/features/lifecycle/ChangeExtConnDialog";
import { ChangeFlavourDialog } from "@/features/lifecycle/ChangeFlavourDialog";
import { ChangeVnfpkgDialog } from "@/features/lifecycle/ChangeVnfpkgDialog";
import { ForgetDialog } from "@/features/lifecycle/ForgetDialog";
import { HealDialog } from "@/features/lifecycle/HealDialog";
import { ModifyInfoDialog } from "@/features/lifecycle/ModifyInfoDialog";
import { OperateDialog } from "@/features/lifecycle/OperateDialog";
import { ScaleDialog } from "@/features/lifecycle/ScaleDialog";
import { ScaleToLevelDialog } from "@/features/lifecycle/ScaleToLevelDialog";
import { TerminateDialog } from "@/features/lifecycle/TerminateDialog";
import { pb } from "@/paths";
import type { Button } from "./instanceActions";

interface Props {
  name: Button;
  instance: VnfInstance;
  /** The VNFC, for actions that can be limited to one. */
  only?: Vnfc | undefined;
  onClose: () => void;
}

function DeleteDialog({ instance, onClose }: Omit<Props, "name">) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return (
    <ConfirmDialog
      title={t`Delete ${instance.name}`}
      button={t`Delete`}
      run={async () => {
        await vnfInstanceDelete(instance.id, instance.version);
        noteDeleted(client, instance.id);
      }}
      onDone={() => {
        void client.invalidateQueries({ queryKey: keys.vnfInstances });
        void navigate(pb.instances());
      }}
      onClose={onClose}
    >
      <Trans>The VNF instance and its history are deleted. It has no resources in the cloud.</Trans>
    </ConfirmDialog>
  );
}

export function ActionDialog({ name, only, ...dialog }: Props) {
  const one = only ? { only } : {};
  switch (name) {
    case "instantiate":
    case "clone":
      return null; // The wizard has a page of its own.
    case "save_settings":
      return <SaveInstanceSettings {...dialog} />;
    case "scale_out":
      return <ScaleDialog {...dialog} type="SCALE_OUT" />;
    case "scale_in":
      return <ScaleDialog {...dialog} type="SCALE_IN" />;
    case "scale_to_level":
      return <ScaleToLevelDialog {...dialog} />;
    case "heal":
      return <HealDialog {...dialog} {...one} />;
    case "change_flavour":
      return <ChangeFlavourDialog {...dialog} />;
    case "start":
      return <OperateDialog {...dialog} {...one} to="STARTED" />;
    case "stop":
      return <OperateDialog {...dialog} to="STOPPED" />;
    case "change_ext_conn":
      return <ChangeExtConnDialog {...dialog} />;
    case "change_vnfpkg":
      return <ChangeVnfpkgDialog {...dialog} />;
    case "modify_info":
      return <ModifyInfoDialog {...dialog} />;
    case "forget":
      return <ForgetDialog {...dialog} />;
    case "terminate":
      return <TerminateDialog {...dialog} />;
    case "delete":
      return <DeleteDialog {...dialog} />;
  }
}
