import { t } from "@lingui/core/macro";
import { useState } from "react";
import { useNavigate } from "react-router";
import type { VnfInstance } from "@/api/types";
import { pb } from "@/paths";
import { ActionButton } from "@/ui/ActionButton";
import { ActionMenu } from "@/ui/ActionMenu";
import { ACTIONS, buttonAction, buttonsFor, type Button } from "./instanceActions";
import { ActionDialog } from "./ActionDialog";

const DANGER: ReadonlySet<Button> = new Set(["terminate", "delete", "forget"]);

/** Everything that may be asked of the instance, lit by the server's action table. */
export function InstanceActions({ instance }: { instance: VnfInstance }) {
  const [open, setOpen] = useState<Button>();
  const navigate = useNavigate();
  const { front, menu } = buttonsFor(instance.instantiationState);
  function choose(name: Button) {
    if (name === "instantiate") void navigate(pb.reinstantiate(instance.id));
    else if (name === "clone") void navigate(pb.clone(instance.vnfdId, instance.id));
    else setOpen(name);
  }
  const items = menu.flatMap((name) => {
    const action = buttonAction(instance, name);
    return action ? [{ name, text: ACTIONS[name], action, danger: DANGER.has(name) }] : [];
  });
  return (
    <>
      {front.map((name) => (
        <ActionButton
          key={name}
          action={buttonAction(instance, name)}
          variant="secondary"
          isDanger={DANGER.has(name)}
          onClick={() => choose(name)}
        >
          {ACTIONS[name]}
        </ActionButton>
      ))}
      <ActionMenu text={t`Actions`} items={items} onChoose={choose} />
      {open && <ActionDialog name={open} instance={instance} onClose={() => setOpen(undefined)} />}
    </>
  );
}
