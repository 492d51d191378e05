import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { vnfInstanceDelete } from "@/api/calls";
import { keys } from "@/api/queries";
import type { VnfInstance } from "@/api/types";
import { ConfirmDialog } from "@/forms/confirm";
import { ScaleDialog } from "@/forms/vnf-scale";
import { ScaleToLevelDialog } from "@/forms/vnf-scale-to-level";
import { TerminateDialog } from "@/forms/vnf-terminate";
import { pb } from "@/paths";
import { ActionButton } from "@/ui/ActionButton";
import { buttonAction } from "./actions";

const BUTTONS = [
  { name: "instantiate", text: "Instantiate" },
  { name: "scale_out", text: "Scale out" },
  { name: "scale_in", text: "Scale in" },
  { name: "scale_to_level", text: "Scale to level" },
  { name: "terminate", text: "Terminate", danger: true },
  { name: "delete", text: "Delete", danger: true },
] as const;
type Name = (typeof BUTTONS)[number]["name"];

/** "Instantiate" is no question for an instance that is instantiated; the other buttons stay where they are, lit or not. */
function shownAction(instance: VnfInstance, name: Name) {
  const hidden = name === "instantiate" && instance.instantiationState === "INSTANTIATED";
  return hidden ? undefined : buttonAction(instance, name);
}

/** Everything that may be asked of the instance, lit by the server's action table. */
export function InstanceActions({ instance }: { instance: VnfInstance }) {
  const [open, setOpen] = useState<Name>();
  const navigate = useNavigate();
  const client = useQueryClient();
  const close = () => setOpen(undefined);
  const dialog = { instance, onClose: close };
  return (
    <>
      {BUTTONS.map(({ name, text, ...look }) => (
        <ActionButton
          key={name}
          action={shownAction(instance, name)}
          variant="secondary"
          isDanger={"danger" in look}
          onClick={() => (name === "instantiate" ? void navigate(pb.reinstantiate(instance.id)) : setOpen(name))}
        >
          {text}
        </ActionButton>
      ))}
      {open === "scale_out" && <ScaleDialog {...dialog} type="SCALE_OUT" />}
      {open === "scale_in" && <ScaleDialog {...dialog} type="SCALE_IN" />}
      {open === "scale_to_level" && <ScaleToLevelDialog {...dialog} />}
      {open === "terminate" && <TerminateDialog {...dialog} />}
      {open === "delete" && (
        <ConfirmDialog
          title={`Delete ${instance.name}`}
          button="Delete"
          run={() => vnfInstanceDelete(instance.id)}
          onDone={() => {
            void client.invalidateQueries({ queryKey: keys.vnfInstances });
            void navigate(pb.instances());
          }}
          onClose={close}
        >
          The VNF instance and its history leave the list. Nothing of it runs in the cloud any more.
        </ConfirmDialog>
      )}
    </>
  );
}
