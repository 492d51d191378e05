import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { FormSelect, FormSelectOption, Toolbar, ToolbarContent, ToolbarItem } from "@patternfly/react-core";
import type { NetworkElement, VnfInstance } from "@/api/types";
import { NOTHING_COMPARED } from "@/features/configuration/CompareVersions";
import { partsOf } from "@/features/elements/elementTabs";
import { ResyncState } from "@/features/elements/ResyncState";
import { NotCurrent, ResyncProblem } from "@/features/elements/ElementConditions";
import { pb } from "@/paths";
import { AFTER } from "@/ui/listView";
import { useAddress } from "@/ui/address";
import { ConditionList } from "@/ui/Conditions";
import { Facts } from "@/ui/Facts";
import { LinkButton } from "@/ui/LinkButton";
import { PageTabs } from "@/ui/PageTabs";
import { Panel } from "@/ui/Panel";
import { ELEMENT_STATE, lookOf } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { OwnElements } from "./OwnElements";

const WHICH = "element";
/** These parameters belong to one element and must not be applied to another. */
const OF_THE_OTHER = { ...NOTHING_COMPARED, [AFTER]: "", part: "", interface: "", object: "" };

function One({ element }: { element: NetworkElement }) {
  const { equipment, interfaces, configuration, counters } = partsOf(element);
  return (
    <>
      <Panel
        title={element.name}
        actions={
          <LinkButton variant="secondary" to={pb.element(element.id)}>
            <Trans>Open the element</Trans>
          </LinkButton>
        }
      >
        <ConditionList conditions={element.conditions} />
        <Facts
          facts={[
            [t`Management address`, <code key="address">{element.managementAddress}</code>],
            [t`State`, <StateLabel key="state" look={lookOf(ELEMENT_STATE, element.state)} />],
            [t`Resync`, <ResyncState key="resync" element={element} />],
            [t`Type`, [element.chassisType, element.softwareVersion].filter(Boolean).join(", ") || "—"],
          ]}
        />
      </Panel>
      <ResyncProblem element={element} />
      <NotCurrent element={element} />
      <PageTabs
        label={t`Parts of ${element.name}`}
        name="sub"
        parts={[equipment, interfaces, configuration, counters]}
      />
    </>
  );
}

/** The address holds the element, if each VM is a router of its own. */
function Several({ elements }: { elements: readonly [NetworkElement, ...NetworkElement[]] }) {
  const [params, setAddress] = useAddress();
  const shown = elements.find(({ id }) => id === params.get(WHICH)) ?? elements[0];
  return (
    <div className="vm-stack">
      {elements.length > 1 && (
        <Toolbar className="vm-toolbar" aria-label={t`Network element`}>
          <ToolbarContent>
            <ToolbarItem>
              <FormSelect
                aria-label={t`Element`}
                value={shown.id}
                onChange={(_event, id) => setAddress({ ...OF_THE_OTHER, [WHICH]: id })}
              >
                {elements.map(({ id, name }) => (
                  <FormSelectOption key={id} value={id} label={name} />
                ))}
              </FormSelect>
            </ToolbarItem>
          </ToolbarContent>
        </Toolbar>
      )}
      <One key={shown.id} element={shown} />
    </div>
  );
}

export const ElementTab = ({ instance }: { instance: VnfInstance }) => (
  <OwnElements instance={instance} none={t`No network element`} hint={t`Its cards are then shown with their VMs.`}>
    {(elements) => <Several elements={elements} />}
  </OwnElements>
);
