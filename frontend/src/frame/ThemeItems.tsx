import { t } from "@lingui/core/macro";
import { DropdownGroup, DropdownItem, DropdownList } from "@patternfly/react-core";
import AdjustIcon from "@patternfly/react-icons/dist/esm/icons/adjust-icon";
import DesktopIcon from "@patternfly/react-icons/dist/esm/icons/desktop-icon";
import MoonIcon from "@patternfly/react-icons/dist/esm/icons/moon-icon";
import SunIcon from "@patternfly/react-icons/dist/esm/icons/sun-icon";
import { chooseContrast, chooseTheme, useIsHighContrast, useThemeChoice, type ThemeChoice } from "@/ui/theme";

const CHOICES: readonly (readonly [ThemeChoice, string, React.ReactNode])[] = [
  ["light", t`Light`, <SunIcon key="icon" />],
  ["dark", t`Dark`, <MoonIcon key="icon" />],
  ["system", t`As the system`, <DesktopIcon key="icon" />],
];

export function ThemeItems() {
  const chosen = useThemeChoice();
  const high = useIsHighContrast();
  return (
    <DropdownGroup label={t`Theme`} labelHeadingLevel="h2">
      <DropdownList>
        {CHOICES.map(([choice, text, icon]) => (
          <DropdownItem
            key={choice}
            icon={icon}
            isSelected={chosen === choice}
            aria-label={chosen === choice ? t`${text}, chosen` : text}
            onClick={() => chooseTheme(choice)}
          >
            {text}
          </DropdownItem>
        ))}
        <DropdownItem
          key="contrast"
          icon={<AdjustIcon />}
          isSelected={high}
          aria-label={high ? t`High contrast, on` : t`High contrast`}
          onClick={() => chooseContrast(!high)}
        >
          {t`High contrast`}
        </DropdownItem>
      </DropdownList>
    </DropdownGroup>
  );
}
