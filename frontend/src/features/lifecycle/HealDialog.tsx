import { t } from "@lingui/core/macro";
import { Form, FormGroup, FormSelect, FormSelectOption, Radio, TextInput } from "@patternfly/react-core";
import { useState } from "react";
import type { HealRequest, Vnfc, VnfInstance } from "@/api/types";
import { isAsDesired } from "@/ui/states";
import { drainParams } from "./drain";
import { DrainChoice } from "./DrainChoice";
import { OperationDialog } from "./OperationDialog";
import { useFlavour } from "./useFlavour";
import { titleOf } from "./titleOf";
import { VnfcPicker } from "./VnfcPicker";
import { Field } from "@/ui/Field";

/** The gentlest method comes first. All but the last keep the server's UUID, to which a licence may be bound. */
const METHODS = {
  auto: {
    text: t`Automatic`,
    help: t`The methods that the VNFD allows, least invasive first, until the VNFC is healthy.`,
  },
  start: { text: t`Start`, help: t`Starts a server that is stopped.` },
  reboot: { text: t`Hard reboot`, help: t`Power cycle; the server stays.` },
  rebuild: { text: t`Rebuild`, help: t`The disk is rebuilt from the image; the server and its addresses stay.` },
  evacuate: { text: t`Evacuate`, help: t`For a host that is down: the server moves to another host.` },
  recreate: { text: t`Recreate`, help: t`A new server takes the slot and the addresses. Its UUID changes.` },
} as const;
type Method = keyof typeof METHODS;

interface Props {
  instance: VnfInstance;
  /** The initial choice; without it all VNFCs that are not well. */
  only?: Vnfc;
  onClose: () => void;
}

export function HealDialog({ instance, only, onClose }: Props) {
  const ailing = only ? [only] : instance.vnfcs.filter((vnfc) => !isAsDesired(vnfc.status, vnfc.desired));
  const [whole, setWhole] = useState(ailing.length === 0);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(ailing.map((vnfc) => vnfc.id)));
  const [method, setMethod] = useState<Method>("auto");
  const [cause, setCause] = useState("");
  const [drain, setDrain] = useState(true);
  const { vnfd } = useFlavour(instance);
  const allowed = new Set<string>(vnfd?.vdus.flatMap((vdu) => vdu.healing) ?? Object.keys(METHODS));
  const named = instance.vnfcs.filter((vnfc) => chosen.has(vnfc.id)).map((vnfc) => vnfc.id);
  const request: HealRequest = {
    ...(cause.trim() ? { cause: cause.trim() } : {}),
    additionalParams: { method, ...(whole ? {} : { vnfcToHeal: named }), ...drainParams(vnfd, drain) },
  };
  return (
    <OperationDialog
      instance={instance}
      operation="HEAL"
      request={whole || named.length > 0 ? request : undefined}
      firstFieldId={only ? "heal-named" : "heal-whole"}
      title={t`Heal ${titleOf(instance, only)}`}
      button={t`Heal`}
      incomplete={t`Choose a VNFC to see the plan.`}
      fieldOf={([head = "", name = ""]) => (head === "additionalParams" && name === "method" ? name : undefined)}
      onClose={onClose}
    >
      {(errors) => (
        <Form isHorizontal aria-label={t`Heal`} onSubmit={(event) => event.preventDefault()}>
          <FormGroup role="radiogroup" label={t`Scope`} fieldId="heal-what" hasNoPaddingTop isStack>
            <Radio
              id="heal-whole"
              name="what"
              label={t`All unhealthy VNFCs`}
              isChecked={whole}
              onChange={() => setWhole(true)}
            />
            <Radio
              id="heal-named"
              name="what"
              label={t`Selected VNFCs`}
              isChecked={!whole}
              onChange={() => setWhole(false)}
              body={
                !whole && (
                  <VnfcPicker
                    label={t`VNFCs to heal`}
                    actionLabel={(name) => t`Heal ${name}`}
                    vnfcs={instance.vnfcs}
                    chosen={chosen}
                    onChange={setChosen}
                  />
                )
              }
            />
          </FormGroup>
          <Field id="heal-method" label={t`Method`} error={errors["method"]} help={METHODS[method].help}>
            {(aria) => (
              <FormSelect {...aria} value={method} onChange={(_event, value) => setMethod(value as Method)}>
                {Object.entries(METHODS).map(([value, { text }]) => {
                  const isAllowed = value === "auto" || allowed.has(value);
                  const label = isAllowed ? text : t`${text} (not allowed by the package)`;
                  return <FormSelectOption key={value} value={value} label={label} isDisabled={!isAllowed} />;
                })}
              </FormSelect>
            )}
          </Field>
          <DrainChoice vnfd={vnfd} drain={drain} onChange={setDrain} />
          <Field id="heal-cause" label={t`Cause`} help={t`Recorded with the operation.`}>
            {(aria) => (
              <TextInput {...aria} value={cause} onChange={(_event, value) => setCause(value)} autoComplete="off" />
            )}
          </Field>
        </Form>
      )}
    </OperationDialog>
  );
}
