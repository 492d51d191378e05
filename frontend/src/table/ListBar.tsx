import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Badge, Button, Checkbox, Label } from "@patternfly/react-core";
import FilterIcon from "@patternfly/react-icons/dist/esm/icons/filter-icon";
import { useId, useState, type ReactNode } from "react";
import { OptionName, type OptionSource } from "@/ui/SearchSelect";
import type { FilterView } from "@/ui/listView";
import { ChoiceFilter, MultiFilter, SelectFilter } from "./Filters";

interface Named {
  /** Name in the address. */
  name: string;
  label: string;
}
interface SelectField extends Named {
  /** Text for "no choice". */
  every: string;
  options: readonly (readonly [value: string, text: string])[];
}
/** The address has the chosen options separated by commas. */
interface MultiField extends Omit<SelectField, "every"> {
  isMulti: true;
}
interface ChoiceField extends Named {
  every: string;
  source: OptionSource;
  /** The name of a filter that applies only within this choice. */
  within?: string;
}
interface FlagField extends Named {
  isFlag: true;
  /** The flag is on while the address does not contain it; "0" in the address turns it off. */
  isOnByDefault?: (view: FilterView) => boolean;
}
/** Other controls set this filter; here the user can only remove it. */
interface ChipField extends Named {
  isChip: true;
  textOf?: (value: string) => string;
}
export type FilterField = SelectField | MultiField | ChoiceField | FlagField | ChipField;

interface BarProps {
  /** Name of the list. */
  label: string;
  view?: FilterView;
  fields?: readonly FilterField[];
  search?: ReactNode;
  /** Filters that are always visible. */
  children?: ReactNode;
  /** Stands at the end of the line: export, views, columns, pages. */
  end?: ReactNode;
}

function FieldInput({ field, view }: { field: FilterField; view: FilterView }) {
  const id = useId();
  if ("isChip" in field) return null;
  if ("isMulti" in field) return <MultiFilter view={view} {...field} />;
  if ("options" in field) return <SelectFilter view={view} {...field} />;
  if ("source" in field) return <ChoiceFilter view={view} {...field} />;
  const { name, label, isOnByDefault } = field;
  const asked = view.get(name);
  return (
    <Checkbox
      id={id}
      label={label}
      isChecked={asked === "" ? isOnByDefault?.(view) === true : asked !== "0"}
      onChange={(_event, on) => view.set({ [name]: on ? "1" : isOnByDefault ? "0" : "" })}
    />
  );
}

function chipText(field: FilterField, value: string): ReactNode {
  if ("options" in field) {
    const values = "isMulti" in field ? value.split(",") : [value];
    return values.map((each) => field.options.find(([option]) => option === each)?.[1] ?? each).join(", ");
  }
  if ("source" in field) return <OptionName source={field.source} value={value} />;
  if ("isFlag" in field) return value === "0" ? t`off` : t`on`;
  return field.textOf?.(value) ?? value;
}

function Chip({ field, view }: { field: FilterField; view: FilterView }) {
  const within = "source" in field ? field.within : undefined;
  return (
    <Label
      isCompact
      variant="outline"
      textMaxWidth="28ch"
      closeBtnAriaLabel={t`Remove the filter ${field.label}`}
      onClose={() => view.set({ [field.name]: "", ...(within ? { [within]: "" } : {}) })}
    >
      {field.label}: {chipText(field, view.get(field.name))}
    </Label>
  );
}

const NONE: readonly FilterField[] = [];

/** One line with the search, one button for all filters, the active ones as chips, and the list's actions. */
export function ListBar({ label, view, fields = NONE, search, children, end }: BarProps) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const set = view ? fields.filter(({ name }) => view.get(name) !== "") : NONE;
  const hasPanel = fields.some((field) => !("isChip" in field));
  return (
    <section className="vm-bar" aria-label={t`${label}: filters`}>
      <div className="vm-bar-line">
        {search}
        {view && hasPanel && (
          <Button
            variant="control"
            icon={<FilterIcon />}
            aria-expanded={open}
            aria-controls={id}
            onClick={() => setOpen(!open)}
          >
            <Trans>Filters</Trans>
            {set.length > 0 && (
              <>
                {" "}
                <Badge isRead screenReaderText={t`set`}>
                  {set.length}
                </Badge>
              </>
            )}
          </Button>
        )}
        {children}
        {view && set.map((field) => <Chip key={field.name} field={field} view={view} />)}
        {view && set.length > 0 && (
          <Button
            variant="link"
            isInline
            onClick={() => view.set(Object.fromEntries(set.map(({ name }) => [name, ""])))}
          >
            <Trans>Clear all filters</Trans>
          </Button>
        )}
        {end && <div className="vm-bar-end">{end}</div>}
      </div>
      {view && open && (
        <div id={id} className="vm-bar-fields" role="group" aria-label={t`Filters of ${label}`}>
          {fields.map((field) => (
            <FieldInput key={field.name} field={field} view={view} />
          ))}
        </div>
      )}
    </section>
  );
}
