import { t } from "@lingui/core/macro";
import { Divider, MenuToggle, Select, SelectList, SelectOption } from "@patternfly/react-core";
import ColumnsIcon from "@patternfly/react-icons/dist/esm/icons/columns-icon";
import { useState } from "react";
import { useColumns, useDensity } from "./useTableOptions";

interface Props {
  label: string;
  columns: readonly { title: string; isName?: boolean; isOptional?: boolean }[];
}
const DENSITY = "density";

export function TableOptions({ label, columns }: Props) {
  const [open, setOpen] = useState(false);
  const [density, keep] = useDensity();
  const chosen = useColumns(label, columns);
  return (
    <Select
      role="menu"
      isOpen={open}
      onOpenChange={setOpen}
      onSelect={(_event, title) =>
        title === DENSITY
          ? keep(density === "compact" ? "comfortable" : "compact")
          : chosen.toggle(String(title).slice(1))
      }
      popperProps={{ position: "right" }}
      toggle={(ref) => (
        <MenuToggle
          ref={ref}
          variant="plain"
          isExpanded={open}
          aria-label={t`Columns of ${label}`}
          icon={<ColumnsIcon />}
          onClick={() => setOpen(!open)}
        />
      )}
    >
      <SelectList aria-label={t`Columns`}>
        {columns
          .filter(({ isName }) => isName !== true)
          .map(({ title }) => (
            <SelectOption key={title} value={`_${title}`} hasCheckbox isSelected={chosen.isShown(title)}>
              {title}
            </SelectOption>
          ))}
        <Divider key="line" component="li" />
        <SelectOption key={DENSITY} value={DENSITY} hasCheckbox isSelected={density === "comfortable"}>
          {t`Comfortable rows`}
        </SelectOption>
      </SelectList>
    </Select>
  );
}
