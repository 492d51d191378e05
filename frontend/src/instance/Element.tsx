import { useQuery } from "@tanstack/react-query";
import NetworkIcon from "@patternfly/react-icons/dist/esm/icons/network-icon";
import { Link } from "react-router";
import { q } from "@/api/queries";
import type { NetworkElement, VnfInstance } from "@/api/types";
import { ResyncState } from "@/elements/Resync";
import { pb } from "@/paths";
import { ConditionList } from "@/ui/Conditions";
import { Empty } from "@/ui/Empty";
import { Facts } from "@/ui/Facts";
import { LinkButton } from "@/ui/LinkButton";
import { Panel } from "@/ui/Panel";
import { Pending } from "@/ui/Pending";
import { ProblemAlert } from "@/ui/Problem";
import { ELEMENT_STATE, lookOf } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";

function One({ element }: { element: NetworkElement }) {
  return (
    <Panel
      title={element.name}
      actions={
        <LinkButton variant="secondary" to={pb.element(element.id)}>
          Open the element
        </LinkButton>
      }
    >
      <ConditionList conditions={element.conditions} />
      <Facts
        facts={[
          [
            "Element",
            <Link key="element" to={pb.element(element.id)}>
              {element.name}
            </Link>,
          ],
          ["Management address", <code key="address">{element.managementAddress}</code>],
          ["State", <StateLabel key="state" look={lookOf(ELEMENT_STATE, element.state)} />],
          ["Resync", <ResyncState key="resync" element={element} />],
          ["Type", [element.chassisType, element.softwareVersion].filter(Boolean).join(", ") || "—"],
        ]}
      />
    </Panel>
  );
}

/** The network element that the instance is: what its VMs are together. */
export function InstanceElement({ instance }: { instance: VnfInstance }) {
  const { data: elements, error } = useQuery(q.elementsOf(instance.id));
  if (error && !elements) return <ProblemAlert error={error} level="h2" />;
  if (!elements) return <Pending>Looking for its network element…</Pending>;
  if (elements.length === 0) {
    return (
      <Empty
        title="No network element belongs to it"
        icon={NetworkIcon}
        action={<LinkButton to={pb.elements()}>Go to the elements</LinkButton>}
      >
        A virtual router that was instantiated, or adopted from a stack, with an SNMP policy is managed by itself when
        it comes up. Otherwise register it with this VNF instance. Its cards are then shown with the VMs that they are.
      </Empty>
    );
  }
  return (
    <div className="vm-stack">
      {elements.map((element) => (
        <One key={element.id} element={element} />
      ))}
    </div>
  );
}
