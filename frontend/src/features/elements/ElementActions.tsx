import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { useNavigate } from "react-router";
import {
  elementDelete,
  elementForgetHostKey,
  elementManage,
  elementResync,
  elementSuspend,
  elementUnmanage,
  elementUpdate,
  elementView,
} from "@/api/callsElements";
import { ProblemError } from "@/api/problem";
import { keys } from "@/api/keys";
import { noteDeleted } from "@/api/live";
import type { Action, NetworkElement, ResyncScope } from "@/api/types";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { pb } from "@/paths";
import { draftOf, inputOf } from "@/records/fields";
import { RecordDialog } from "@/records/RecordDialog";
import { ActionButton } from "@/ui/ActionButton";
import { ActionMenu } from "@/ui/ActionMenu";
import { RefusedDialog, UnknownActionDialog } from "@/ui/RefusedDialog";
import { useDisabledReason } from "@/ui/rights";
import { useToast } from "@/ui/toasts";
import { useRequestedAction } from "@/ui/useRequestedAction";
import { ELEMENT_FIELDS } from "./elementFields";

interface ElementAction {
  text: string;
  /** Returns "" when the action is possible. */
  whyNot: (element: NetworkElement) => string;
  run: (element: NetworkElement) => Promise<unknown>;
  danger?: boolean;
  /** Explains the action in its dialog. */
  means?: string;
}

const unmanaged = ({ state }: NetworkElement): string =>
  state === "MANAGED" ? "" : t`It is not polled while it is not managed: manage it first.`;
const resync = (text: string, scope: ResyncScope[], accept = false): ElementAction => ({
  text,
  whyNot: unmanaged,
  run: ({ id }) => elementResync(id, { scope, accept }),
});

const ELEMENT_ACTIONS = {
  resync: resync(t`Resync`, []),
  equipment: resync(t`Resync the equipment`, ["EQUIPMENT"]),
  interfaces: resync(t`Resync the interfaces`, ["INTERFACES"]),
  bgp: resync(t`Resync the BGP neighbours`, ["BGP"]),
  facts: resync(t`Resync the facts`, ["FACTS"]),
  accept: {
    ...resync(t`Resync and accept changes`, [], true),
    means: t`Full resync. Parts that the element no longer lists are deleted with their alarms.`,
  },
  manage: {
    text: t`Manage`,
    whyNot: ({ state }: NetworkElement) => (state === "MANAGED" ? t`It is already managed.` : ""),
    run: ({ id, version }: NetworkElement) => elementManage(id, version),
  },
  suspend: {
    text: t`Suspend`,
    whyNot: ({ state }: NetworkElement) => (state === "MANAGED" ? "" : t`It is not managed.`),
    run: ({ id, version }: NetworkElement) => elementSuspend(id, version),
    means: t`Polling stops. Its data are kept and shown as unknown, and an alarm is raised.`,
  },
  unmanage: {
    text: t`Unmanage`,
    whyNot: ({ state }: NetworkElement) => (state === "UNMANAGED" ? t`It is not managed.` : ""),
    run: ({ id, version }: NetworkElement) => elementUnmanage(id, version),
    danger: true,
    means: t`Polling stops, and its equipment, interfaces and neighbours are deleted. It stays in the list.`,
  },
  hostKey: {
    text: t`Clear SSH host keys`,
    whyNot: (element: NetworkElement) =>
      element.sshHostKey || element.netconfHostKey ? "" : t`No host key is pinned.`,
    run: ({ id, version }: NetworkElement) => elementForgetHostKey(id, version),
    danger: true,
    means: t`The next keys that it presents are trusted. Do this only if its keys were regenerated or it was replaced; otherwise it may be a man-in-the-middle attack.`,
  },
} satisfies Record<string, ElementAction>;
type Name = keyof typeof ELEMENT_ACTIONS | "edit" | "delete";

/**
 * A dialog reports a conflict only if one of these has changed. Other fields, and the version, change at each poll.
 */
const COMPARED_FIELDS = {
  name: t`Name`,
  managementAddress: t`Management address`,
  kind: t`Kind`,
  siteId: t`Site`,
  snmpPolicyId: t`SNMP policy`,
  sshPolicyId: t`SSH policy`,
  netconfPolicyId: t`NETCONF policy`,
  vnfInstanceId: t`VNF instance`,
  hostElementId: t`Host element`,
  state: t`State`,
} satisfies Partial<Record<keyof NetworkElement, string>>;

/** `decided` returns the current element, or throws a 412 if a compared field has changed since the dialog opened. */
function useOpenedElement(element: NetworkElement): { opened: NetworkElement; decided: () => NetworkElement } {
  const [opened] = useState(element);
  const names = Object.keys(COMPARED_FIELDS) as (keyof typeof COMPARED_FIELDS)[];
  function decided(): NetworkElement {
    const others = names.filter((name) => element[name] !== opened[name]).map((name) => COMPARED_FIELDS[name]);
    if (others.length === 0) return element;
    throw new ProblemError({ status: 412, title: t`Changed since you opened this`, detail: `${others.join(", ")}.` });
  }
  return { opened, decided };
}

const isName = (name: string): name is Name =>
  name === "edit" || name === "delete" || Object.hasOwn(ELEMENT_ACTIONS, name);
const MENU: Name[] = ["equipment", "interfaces", "bgp", "facts", "accept", "manage", "suspend", "unmanage", "hostKey"];
const isElementAction = (name: Name): name is keyof typeof ELEMENT_ACTIONS => name in ELEMENT_ACTIONS;

function EditDialog({ element, onClose }: { element: NetworkElement; onClose: () => void }) {
  const client = useQueryClient();
  const [opened] = useState(element);
  async function save(input: Record<string, unknown>, on: object) {
    // No field is a time, so the zone does not matter.
    const before = inputOf(ELEMENT_FIELDS, draftOf(ELEMENT_FIELDS, on, true), false, true);
    const change = Object.entries(input).filter(([name, value]) => value !== before[name]);
    return elementUpdate(opened.id, Object.fromEntries(change), (on as NetworkElement).version);
  }
  return (
    <RecordDialog
      title={t`Edit ${opened.name}`}
      button={t`Save`}
      lead={t`A new address or SNMP policy triggers a full resync.`}
      fields={ELEMENT_FIELDS}
      initial={opened}
      isNew={false}
      save={save}
      reread={() => elementView(opened.id)}
      onSaved={() => {
        void client.invalidateQueries({ queryKey: keys.element(element.id) });
        void client.invalidateQueries({ queryKey: keys.elements });
        onClose();
      }}
      onClose={() => {
        void client.invalidateQueries({ queryKey: keys.element(element.id) });
        onClose();
      }}
    />
  );
}

function DeleteDialog({ element, onClose }: { element: NetworkElement; onClose: () => void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { opened, decided } = useOpenedElement(element);
  return (
    <ConfirmDialog
      title={t`Delete ${opened.name}`}
      button={t`Delete`}
      typed={{ name: opened.name, label: t`Name of the element` }}
      run={async () => {
        await elementDelete(opened.id, decided().version);
        noteDeleted(client, opened.id);
      }}
      onDone={() => {
        void client.invalidateQueries({ queryKey: keys.elements });
        void navigate(pb.elements());
      }}
      onClose={onClose}
    >
      <Trans>
        It is deleted with all its data and alarms. The router itself is not touched. A discovery rule that finds it
        registers it again.
      </Trans>
    </ConfirmDialog>
  );
}

interface ActionDialogProps {
  deed: ElementAction;
  element: NetworkElement;
  onClose: () => void;
}

function ConfirmActionDialog({ deed, element, onClose }: ActionDialogProps) {
  const { opened, decided } = useOpenedElement(element);
  return (
    <ConfirmDialog
      title={`${deed.text}: ${opened.name}`}
      button={deed.text}
      danger={deed.danger ?? false}
      run={async () => deed.run(decided())}
      onDone={onClose}
      onClose={onClose}
    >
      {deed.means ?? t`Reads the element now. Nothing is changed on it.`}
    </ConfirmDialog>
  );
}

interface RequestedProps extends Omit<ActionDialogProps, "deed"> {
  name: Name;
  whyNot: string;
}

/** The decision whether the action is possible is made once, when the address asks for it. */
function RequestedAction({ name, element, onClose, ...given }: RequestedProps) {
  const role = useDisabledReason();
  const [whyNot] = useState(role ?? given.whyNot);
  const words: ElementAction | undefined = isElementAction(name) ? ELEMENT_ACTIONS[name] : undefined;
  if (whyNot) {
    const action = words?.text ?? (name === "edit" ? t`Edit` : t`Delete`);
    return <RefusedDialog title={t`${action}: ${element.name}`} reason={whyNot} onClose={onClose} />;
  }
  if (words) return <ConfirmActionDialog deed={words} element={element} onClose={onClose} />;
  if (name === "edit") return <EditDialog element={element} onClose={onClose} />;
  return <DeleteDialog element={element} onClose={onClose} />;
}

export function ElementActions({ element, extra }: { element: NetworkElement; extra?: ReactNode }) {
  const client = useQueryClient();
  const toast = useToast();
  const [open, setOpen] = useState<Name>();
  const [asked, closeRequested] = useRequestedAction();
  const refresh = () => {
    void client.invalidateQueries({ queryKey: keys.element(element.id) });
    void client.invalidateQueries({ queryKey: keys.elements });
  };
  function choose(name: Name) {
    const deed: ElementAction | undefined = isElementAction(name) ? ELEMENT_ACTIONS[name] : undefined;
    if (!deed || deed.means) {
      setOpen(name);
      return;
    }
    deed
      .run(element)
      .catch((error: unknown) =>
        toast({
          variant: "danger",
          title: t`${deed.text} failed`,
          body: error instanceof Error ? error.message : String(error),
        }),
      )
      .finally(refresh);
  }
  const actionOf = (name: Name): Action => {
    const whyNot = isElementAction(name) ? ELEMENT_ACTIONS[name].whyNot(element) : "";
    return { action: name, enabled: whyNot === "", disabledReason: whyNot };
  };
  const items = MENU.filter(isElementAction).map((name) => {
    const deed: ElementAction = ELEMENT_ACTIONS[name];
    return { name, text: deed.text, action: actionOf(name), danger: deed.danger ?? false };
  });
  const managed = element.state === "MANAGED";
  const front = managed ? "resync" : "manage";
  const deed: ElementAction | undefined = open && isElementAction(open) ? ELEMENT_ACTIONS[open] : undefined;
  return (
    <>
      <ActionButton action={actionOf(front)} variant="secondary" onClick={() => choose(front)}>
        {ELEMENT_ACTIONS[front].text}
      </ActionButton>
      {extra}
      <ActionMenu
        text={t`Actions`}
        items={[
          ...items,
          { name: "edit", text: t`Edit`, action: actionOf("edit"), danger: false },
          { name: "delete", text: t`Delete`, action: actionOf("delete"), danger: true },
        ]}
        onChoose={choose}
      />
      {open === "edit" && <EditDialog element={element} onClose={() => setOpen(undefined)} />}
      {open === "delete" && <DeleteDialog element={element} onClose={() => setOpen(undefined)} />}
      {asked && !isName(asked) && <UnknownActionDialog name={asked} onClose={closeRequested} />}
      {isName(asked) && (
        <RequestedAction
          key={`${element.id} ${asked}`}
          name={asked}
          whyNot={actionOf(asked).disabledReason}
          element={element}
          onClose={() => {
            refresh();
            closeRequested();
          }}
        />
      )}
      {deed?.means && (
        <ConfirmActionDialog
          deed={deed}
          element={element}
          onClose={() => {
            refresh();
            setOpen(undefined);
          }}
        />
      )}
    </>
  );
}
