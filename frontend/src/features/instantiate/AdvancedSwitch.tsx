import { t } from "@lingui/core/macro";
import { Plural } from "@lingui/react/macro";
import { ToggleGroup, ToggleGroupItem } from "@patternfly/react-core";
import { useState } from "react";
import type { Vnfd } from "@/api/types";
import { basicSettings } from "@/features/settings/basicSettings";
import { settingField } from "@/features/settings/settingFields";
import { useStored } from "@/ui/stored";
import type { Draft } from "./draft";

const isOn = (kept: unknown): boolean => kept === true;

/**
 * Basic settings, changed ones and those with errors are shown, or all. A shown field stays visible, so that it does
 * not disappear while the user types.
 */
export function useVisibleSettings(vnfd: Vnfd, draft: Draft) {
  const [all, showAll] = useStored("vnfm.settings.advanced", isOn);
  const [shown, setShown] = useState<ReadonlySet<string>>(() => basicSettings(vnfd));
  const concerned = vnfd.settings.filter(({ name }) => name in draft.raw || settingField(name) in draft.errors);
  const added = concerned.filter(({ name }) => !shown.has(name));
  if (added.length > 0) setShown(new Set([...shown, ...added.map(({ name }) => name)]));
  const hidden = all ? 0 : vnfd.settings.filter(({ name }) => !shown.has(name)).length;
  return { all, showAll, hidden, isShown: (name: string) => all || shown.has(name) };
}

interface Props {
  all: boolean;
  hidden: number;
  onChange: (all: boolean) => void;
}

export function AdvancedSwitch({ all, hidden, onChange }: Props) {
  return (
    <div className="vm-labels">
      <ToggleGroup aria-label={t`Settings shown`} isCompact>
        <ToggleGroupItem buttonId="settings-basic" text={t`Basic`} isSelected={!all} onChange={() => onChange(false)} />
        <ToggleGroupItem
          buttonId="settings-advanced"
          text={t`Advanced`}
          isSelected={all}
          onChange={() => onChange(true)}
        />
      </ToggleGroup>
      {hidden > 0 && (
        <span className="vm-quiet">
          <Plural value={hidden} one="# more setting has its default" other="# more settings have their defaults" />
        </span>
      )}
    </div>
  );
}
