import { t } from "@lingui/core/macro";
import { ToggleGroup, ToggleGroupItem } from "@patternfly/react-core";
import AdjustIcon from "@patternfly/react-icons/dist/esm/icons/adjust-icon";
import DesktopIcon from "@patternfly/react-icons/dist/esm/icons/desktop-icon";
import MoonIcon from "@patternfly/react-icons/dist/esm/icons/moon-icon";
import SunIcon from "@patternfly/react-icons/dist/esm/icons/sun-icon";
import { chooseContrast, chooseTheme, useIsHighContrast, useThemeChoice, type ThemeChoice } from "@/ui/theme";

const CHOICES: { choice: ThemeChoice; name: string; icon: React.ReactNode }[] = [
  { choice: "light", name: t`Light theme`, icon: <SunIcon /> },
  { choice: "dark", name: t`Dark theme`, icon: <MoonIcon /> },
  { choice: "system", name: t`System theme`, icon: <DesktopIcon /> },
];

export function ThemeSwitch() {
  const chosen = useThemeChoice();
  const high = useIsHighContrast();
  return (
    <ToggleGroup aria-label={t`Theme`} isCompact>
      {CHOICES.map(({ choice, name, icon }) => (
        <ToggleGroupItem
          key={choice}
          icon={icon}
          aria-label={name}
          buttonId={`theme-${choice}`}
          isSelected={chosen === choice}
          onChange={() => chooseTheme(choice)}
        />
      ))}
      <ToggleGroupItem
        icon={<AdjustIcon />}
        aria-label={t`High contrast`}
        buttonId="theme-contrast"
        isSelected={high}
        onChange={() => chooseContrast(!high)}
      />
    </ToggleGroup>
  );
}
