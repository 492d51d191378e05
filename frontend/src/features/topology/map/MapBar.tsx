import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import {
  Badge,
  FormSelect,
  FormSelectOption,
  MenuToggle,
  Select,
  SelectList,
  SelectOption,
  Toolbar,
  ToolbarContent,
  ToolbarItem,
} from "@patternfly/react-core";
import { useState } from "react";
import type { MapNode, MapScope, MapState, NodeKind } from "@/api/topology";
import type { Severity } from "@/api/types";
import { MAP_STATE, SEVERITIES, SEVERITY } from "@/ui/states";
import { queryOf, SCOPES, type MapView } from "./mapView";
import { MapFocus } from "./MapFocus";
import { MapSearch } from "./MapSearch";
import { KIND, NODE_KINDS } from "./nodeText";

function KindSelect({ kinds, onChange }: { kinds: readonly NodeKind[]; onChange: (kinds: NodeKind[]) => void }) {
  const [open, setOpen] = useState(false);
  return (
    <Select
      isOpen={open}
      onOpenChange={setOpen}
      selected={[...kinds]}
      onSelect={(_event, value) => {
        const kind = value as NodeKind;
        onChange(kinds.includes(kind) ? kinds.filter((each) => each !== kind) : [...kinds, kind]);
      }}
      toggle={(ref) => (
        <MenuToggle ref={ref} onClick={() => setOpen(!open)} isExpanded={open}>
          <Trans>Kinds</Trans> {kinds.length > 0 && <Badge isRead>{kinds.length}</Badge>}
        </MenuToggle>
      )}
    >
      <SelectList aria-label={t`Kinds`}>
        {NODE_KINDS.map((kind) => (
          <SelectOption key={kind} value={kind} hasCheckbox isSelected={kinds.includes(kind)}>
            {KIND[kind]}
          </SelectOption>
        ))}
      </SelectList>
    </Select>
  );
}

interface Props {
  shown: MapView;
  onChange: (change: Partial<MapView>) => void;
  onFind: (node: MapNode, groups: string[]) => void;
}

export function MapBar({ shown, onChange, onFind }: Props) {
  return (
    <Toolbar className="vm-toolbar vm-map-bar" aria-label={t`Map filters`}>
      <ToolbarContent>
        <ToolbarItem>
          <MapSearch query={queryOf(shown)} onFind={onFind} />
        </ToolbarItem>
        <ToolbarItem>
          <FormSelect
            aria-label={t`Scope`}
            value={shown.scope}
            onChange={(_event, scope) => onChange({ scope: scope as MapScope, expand: [], node: "" })}
          >
            {Object.entries(SCOPES).map(([scope, text]) => (
              <FormSelectOption key={scope} value={scope} label={text} />
            ))}
          </FormSelect>
        </ToolbarItem>
        <MapFocus shown={shown} onChange={onChange} />
        <ToolbarItem>
          <KindSelect kinds={shown.kinds} onChange={(kinds) => onChange({ kinds: kinds.sort() })} />
        </ToolbarItem>
        <ToolbarItem>
          <FormSelect
            aria-label={t`State`}
            value={shown.state}
            onChange={(_event, state) => onChange({ state: state as MapState | "" })}
          >
            <FormSelectOption value="" label={t`All states`} />
            {Object.entries(MAP_STATE).map(([state, { text }]) => (
              <FormSelectOption key={state} value={state} label={text} />
            ))}
          </FormSelect>
        </ToolbarItem>
        <ToolbarItem>
          <FormSelect
            aria-label={t`Alarms`}
            value={shown.severity}
            onChange={(_event, severity) => onChange({ severity: severity as Severity | "" })}
          >
            <FormSelectOption value="" label={t`Any alarms`} />
            {SEVERITIES.filter((each) => each !== "CLEARED").map((each) => (
              <FormSelectOption key={each} value={each} label={t`${SEVERITY[each].text} or worse`} />
            ))}
          </FormSelect>
        </ToolbarItem>
      </ToolbarContent>
    </Toolbar>
  );
}
