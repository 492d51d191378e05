import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { MenuToggle, Select, SelectGroup, SelectList, SelectOption } from "@patternfly/react-core";
import BellIcon from "@patternfly/react-icons/dist/esm/icons/bell-icon";
import BellSlashIcon from "@patternfly/react-icons/dist/esm/icons/bell-slash-icon";
import { useState } from "react";
import type { Severity } from "@/api/types";
import { SEVERITY } from "@/ui/states";
import { chime, mayNotify, THRESHOLDS, useAlerts, type Alerts } from "./alerts";

const WHY_NOT: Partial<Record<ReturnType<typeof mayNotify>, string>> = {
  denied: t`The browser does not allow it: change that in its settings for this site.`,
  unsupported: t`This browser shows none to pages that come without TLS.`,
};

type Way = Exclude<keyof Alerts, "from">;
const isWay = (choice: unknown): choice is Way => choice === "sound" || choice === "notification";

const fromText = (severity: Severity, place: number): string => {
  if (place === THRESHOLDS.length - 1) return t`All`;
  const { text } = SEVERITY[severity];
  return place === 0 ? t`${text} only` : t`${text} and worse`;
};

/** How new alarms are told while somebody looks elsewhere: for this browser, and off until it is wanted. */
export function AlertMenu() {
  const [open, setOpen] = useState(false);
  const [alerts, keep] = useAlerts();
  const [allowed, setAllowed] = useState(mayNotify);
  const whyNot = WHY_NOT[allowed];

  async function toggle(name: Way) {
    const on = !alerts[name];
    if (name === "notification" && on && allowed === "default") {
      const answer = await Notification.requestPermission();
      setAllowed(answer);
      if (answer !== "granted") return;
    }
    if (name === "sound" && on) chime();
    keep({ ...alerts, [name]: on });
  }
  const any = alerts.sound || alerts.notification;
  return (
    <Select
      isOpen={open}
      onOpenChange={setOpen}
      role="menu"
      popperProps={{ appendTo: "inline" }}
      onSelect={(_event, choice) => {
        if (isWay(choice)) void toggle(choice);
        else keep({ ...alerts, from: choice as Severity });
      }}
      toggle={(ref) => (
        <MenuToggle
          ref={ref}
          variant="secondary"
          icon={any ? <BellIcon /> : <BellSlashIcon />}
          isExpanded={open}
          onClick={() => setOpen(!open)}
        >
          <Trans>Tell me</Trans>
        </MenuToggle>
      )}
    >
      <SelectGroup label={t`How`} labelHeadingLevel="h2">
        <SelectList aria-label={t`How new alarms are told`}>
          <SelectOption value="sound" hasCheckbox isSelected={alerts.sound}>
            <Trans>By a sound</Trans>
          </SelectOption>
          <SelectOption
            value="notification"
            hasCheckbox
            isSelected={alerts.notification && !whyNot}
            isDisabled={whyNot !== undefined}
            description={whyNot}
          >
            <Trans>By a notification of the browser</Trans>
          </SelectOption>
        </SelectList>
      </SelectGroup>
      <SelectGroup label={t`Of which alarms`} labelHeadingLevel="h2">
        <SelectList aria-label={t`Of which alarms`}>
          {THRESHOLDS.map((severity, place) => (
            <SelectOption key={severity} value={severity} hasCheckbox isSelected={alerts.from === severity}>
              {fromText(severity, place)}
            </SelectOption>
          ))}
        </SelectList>
      </SelectGroup>
    </Select>
  );
}
