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
  denied: t`The browser blocks notifications: allow them in its settings for this site.`,
  unsupported: t`The browser shows notifications only for pages with TLS.`,
};

type Way = Exclude<keyof Alerts, "from">;
const isWay = (choice: unknown): choice is Way => choice === "sound" || choice === "notification";

const fromText = (severity: Severity, place: number): string => {
  if (place === THRESHOLDS.length - 1) return t`All`;
  const { text } = SEVERITY[severity];
  return place === 0 ? t`${text} only` : t`${text} and worse`;
};

/** Settings are per browser. */
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
          <Trans>Alert me</Trans>
        </MenuToggle>
      )}
    >
      <SelectGroup label={t`Notification`} labelHeadingLevel="h2">
        <SelectList aria-label={t`Notification of new alarms`}>
          <SelectOption value="sound" hasCheckbox isSelected={alerts.sound}>
            <Trans>Sound</Trans>
          </SelectOption>
          <SelectOption
            value="notification"
            hasCheckbox
            isSelected={alerts.notification && !whyNot}
            isDisabled={whyNot !== undefined}
            description={whyNot}
          >
            <Trans>Browser notification</Trans>
          </SelectOption>
        </SelectList>
      </SelectGroup>
      <SelectGroup label={t`Severities`} labelHeadingLevel="h2">
        <SelectList aria-label={t`Severities`}>
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
