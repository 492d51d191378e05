import { plural, t } from "@lingui/core/macro";
import { ExpandableSection } from "@patternfly/react-core";
import { useState } from "react";
import type { FieldErrors } from "@/api/problem";
import type { PlanFlavor, Setting, VnfInstance, Vnfd } from "@/api/types";
import { settingField } from "./settingFields";
import { SettingsFields } from "./SettingsFields";
import { useVimResources } from "./useVimResources";
import type { Changes } from "./useChanges";

interface Props {
  instance: VnfInstance;
  vnfd: Vnfd;
  /** The settings that this operation may change. */
  settings: readonly Setting[];
  title?: string;
  changes: Changes;
  /** Networks that were chosen outside the settings. Keys: parameter. */
  picked?: Readonly<Record<string, string>>;
  /** Errors of the plan, in addition to those found here. */
  errors: FieldErrors;
  proposals: readonly PlanFlavor[];
}

/** Networks inside the VNF cannot be changed during its life. */
export function changeable(vnfd: Vnfd): Setting[] {
  const internal = new Set(vnfd.virtualLinks.filter((link) => link.internal).map((link) => link.networkParameter));
  return vnfd.settings.filter(({ name }) => !internal.has(name));
}

/** Most operations leave the settings alone, so they are folded; an error opens them. */
export function SettingsSection(props: Props) {
  const { instance, vnfd, settings, title = t`Settings`, changes, picked, errors, proposals } = props;
  const [open, setOpen] = useState(false);
  const resources = useVimResources(instance.vimId, instance.id);
  const all = { ...errors, ...changes.complaints };
  const faulty = settings.some(({ name }) => settingField(name) in all);
  const changed = changes.count > 0 ? plural(changes.count, { one: "# change", other: "# changes" }) : t`unchanged`;
  return (
    <ExpandableSection
      toggleText={`${title} (${changed})`}
      isExpanded={open || faulty}
      onToggle={(_event, next) => setOpen(next)}
      isIndented
    >
      <div className="vm-stack">
        <SettingsFields
          vnfd={vnfd}
          settings={settings}
          valueOf={changes.valueOf}
          picked={picked}
          errors={all}
          secretNote={t`Empty: unchanged.`}
          resources={resources}
          proposals={proposals}
          onChange={changes.set}
        />
      </div>
    </ExpandableSection>
  );
}
