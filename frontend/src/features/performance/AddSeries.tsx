import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { FormSelect, FormSelectOption, Toolbar, ToolbarContent, ToolbarItem } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ELEMENTS } from "@/records/optionSources";
import { q } from "@/api/queries";
import { ExplainedButton } from "@/ui/ActionButton";
import { SearchSelect } from "@/ui/SearchSelect";
import { countersOf, counterText, objectText, SYSTEM } from "./counters";
import { RangeFields } from "./RangeFields";
import { MOST_SERIES, type Chosen } from "./series";

/** Undefined if another series can be added. */
export const whyNoMore = (count: number): string | undefined =>
  count < MOST_SERIES ? undefined : t`At most ${MOST_SERIES} series: remove one first.`;

interface Props {
  chosen: Chosen;
  /** Without this, the user searches all elements. */
  elements?: readonly { id: string; name: string }[];
}

function ElementField({
  elements,
  value,
  onChange,
}: Omit<Props, "chosen"> & { value: string; onChange: (id: string) => void }) {
  if (!elements)
    return (
      <SearchSelect
        label={t`Element of the series`}
        source={ELEMENTS}
        none={t`Element`}
        value={value}
        onChange={onChange}
      />
    );
  return (
    <FormSelect aria-label={t`Element of the series`} value={value} onChange={(_event, id) => onChange(id)}>
      {elements.map(({ id, name }) => (
        <FormSelectOption key={id} value={id} label={name} />
      ))}
    </FormSelect>
  );
}

export function AddSeries({ chosen, elements }: Props) {
  const [elementId, setElementId] = useState(elements?.[0]?.id ?? "");
  const [wanted, setObject] = useState(SYSTEM);
  const [counter, setCounter] = useState("");
  const { data: objects, isError } = useQuery({ ...q.countedObjects(elementId), enabled: elementId !== "" });
  const known = [...new Set([SYSTEM, ...(objects ?? [])])];
  const object = known.includes(wanted) ? wanted : SYSTEM;
  const names = countersOf(object);
  const name = names.includes(counter) ? counter : (names[0] ?? "");
  return (
    <Toolbar className="vm-toolbar" aria-label={t`Series`}>
      <ToolbarContent>
        <ToolbarItem className="vm-search-select">
          <ElementField {...(elements ? { elements } : {})} value={elementId} onChange={setElementId} />
        </ToolbarItem>
        <ToolbarItem>
          <FormSelect aria-label={t`Object`} value={object} onChange={(_event, value) => setObject(value)}>
            {known.map((each) => (
              <FormSelectOption key={each} value={each} label={objectText(each)} />
            ))}
          </FormSelect>
        </ToolbarItem>
        <ToolbarItem>
          <FormSelect aria-label={t`Counter`} value={name} onChange={(_event, value) => setCounter(value)}>
            {names.map((each) => (
              <FormSelectOption key={each} value={each} label={counterText(each)} />
            ))}
          </FormSelect>
        </ToolbarItem>
        <ToolbarItem>
          <ExplainedButton
            whyNot={elementId === "" ? t`Choose an element first.` : whyNoMore(chosen.series.length)}
            variant="secondary"
            onClick={() => chosen.add({ elementId, object, counter: name })}
          >
            <Trans>Add to the chart</Trans>
          </ExplainedButton>
        </ToolbarItem>
        {isError && (
          <ToolbarItem className="vm-quiet">
            <Trans>Counters not loaded</Trans>
          </ToolbarItem>
        )}
        <RangeFields range={chosen.range} onChange={chosen.setRange} />
      </ToolbarContent>
    </Toolbar>
  );
}
