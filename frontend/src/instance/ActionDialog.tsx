import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { vnfInstanceDelete } from "@/api/calls";
import { keys } from "@/api/keys";
import type { VnfInstance } from "@/api/types";
import { ConfirmDialog } from "@/forms/confirm";
import { SaveInstanceSettings } from "@/forms/instantiate/SaveInstanceSettings";
import { ChangeExtConnDialog } from "@/forms/vnf-change-ext-conn";
import { ChangeFlavourDialog } from "@/forms/vnf-change-flavour";
import { ChangeVnfpkgDialog } from "@/forms/vnf-change-vnfpkg";
import { ForgetDialog } from "@/forms/vnf-forget";
import { HealDialog } from "@/forms/vnf-heal";
import { ModifyInfoDialog } from "@/forms/vnf-modify-info";
import { OperateDialog } from "@/forms/vnf-operate";
import { ScaleDialog } from "@/forms/vnf-scale";
import { ScaleToLevelDialog } from "@/forms/vnf-scale-to-level";
import { TerminateDialog } from "@/forms/vnf-terminate";
import { pb } from "@/paths";
import type { Button } from "./actions";

interface Props {
  name: Button;
  instance: VnfInstance;
  onClose: () => void;
}

function DeleteDialog({ instance, onClose }: Omit<Props, "name">) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return (
    <ConfirmDialog
      title={t`Delete ${instance.name}`}
      button={t`Delete`}
      run={() => vnfInstanceDelete(instance.id, instance.version)}
      onDone={() => {
        void client.invalidateQueries({ queryKey: keys.vnfInstances });
        void navigate(pb.instances());
      }}
      onClose={onClose}
    >
      <Trans>The VNF instance and its history leave the list. Nothing of it runs in the cloud any more.</Trans>
    </ConfirmDialog>
  );
}

/** The dialog behind a button of the instance page. */
export function ActionDialog({ name, ...dialog }: Props) {
  switch (name) {
    case "instantiate":
    case "clone":
      return null; // the wizard, on a page of its own
    case "save_settings":
      return <SaveInstanceSettings {...dialog} />;
    case "scale_out":
      return <ScaleDialog {...dialog} type="SCALE_OUT" />;
    case "scale_in":
      return <ScaleDialog {...dialog} type="SCALE_IN" />;
    case "scale_to_level":
      return <ScaleToLevelDialog {...dialog} />;
    case "heal":
      return <HealDialog {...dialog} />;
    case "change_flavour":
      return <ChangeFlavourDialog {...dialog} />;
    case "start":
      return <OperateDialog {...dialog} to="STARTED" />;
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
