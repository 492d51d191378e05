import { t } from "@lingui/core/macro";
import { useState } from "react";
import { Navigate, useNavigate } from "react-router";
import type { VnfInstance } from "@/api/types";
import { pb } from "@/paths";
import { ActionButton } from "@/ui/ActionButton";
import { ActionMenu } from "@/ui/ActionMenu";
import { RefusedDialog, UnknownActionDialog } from "@/ui/RefusedDialog";
import { useDisabledReason } from "@/ui/rights";
import { useRequestedAction } from "@/ui/useRequestedAction";
import { ACTIONS, buttonAction, buttonsFor, type Button } from "./instanceActions";
import { useSelectedVnfcs } from "./selectedVnfcs";
import { ActionDialog } from "./ActionDialog";

const DANGER: ReadonlySet<Button> = new Set(["terminate", "delete", "forget"]);

/** Some actions have a page instead of a dialog. */
function pageOf(name: Button, { id, vnfdId, instantiationState }: VnfInstance): string | undefined {
  if (name === "instantiate") return pb.reinstantiate(id);
  if (name !== "clone") return undefined;
  return instantiationState === "INSTANTIATED" ? pb.clone(vnfdId, id) : pb.cloneAttempt(vnfdId, id);
}

interface RequestedProps {
  name: Button;
  instance: VnfInstance;
  onClose: () => void;
}

/** Whether the action is possible is decided once, as by a click. */
function RequestedAction({ name, instance, onClose }: RequestedProps) {
  const role = useDisabledReason();
  const { ids } = useSelectedVnfcs(instance.vnfcs);
  const [whyNot] = useState(() => {
    const action = buttonAction(instance, name);
    return role ?? (action?.enabled ? undefined : action?.disabledReason || t`Not possible in the current state`);
  });
  if (whyNot !== undefined)
    return <RefusedDialog title={t`${ACTIONS[name]}: ${instance.name}`} reason={whyNot} onClose={onClose} />;
  // If the address names several VNFCs, the dialog selects those that are not well.
  const only = ids.length === 1 ? instance.vnfcs.find(({ id }) => id === ids[0]) : undefined;
  const page = pageOf(name, instance);
  return page === undefined ? (
    <ActionDialog name={name} instance={instance} only={only} onClose={onClose} />
  ) : (
    <Navigate to={page} replace />
  );
}

const isButton = (name: string): name is Button => Object.hasOwn(ACTIONS, name);

/** The server's action table decides which actions are enabled. */
export function InstanceActions({ instance }: { instance: VnfInstance }) {
  const [open, setOpen] = useState<Button>();
  const [asked, closeRequested] = useRequestedAction();
  const navigate = useNavigate();
  const { front, menu } = buttonsFor(instance.instantiationState);
  function choose(name: Button) {
    const page = pageOf(name, instance);
    if (page === undefined) setOpen(name);
    else void navigate(page);
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
      {asked && !isButton(asked) && <UnknownActionDialog name={asked} onClose={closeRequested} />}
      {isButton(asked) && (
        <RequestedAction key={`${instance.id} ${asked}`} name={asked} instance={instance} onClose={closeRequested} />
      )}
    </>
  );
}
