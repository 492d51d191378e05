import BuildingIcon from "@patternfly/react-icons/dist/esm/icons/building-icon";
import CloudIcon from "@patternfly/react-icons/dist/esm/icons/cloud-icon";
import ClusterIcon from "@patternfly/react-icons/dist/esm/icons/cluster-icon";
import NetworkIcon from "@patternfly/react-icons/dist/esm/icons/network-icon";
import PluggedIcon from "@patternfly/react-icons/dist/esm/icons/plugged-icon";
import RouteIcon from "@patternfly/react-icons/dist/esm/icons/route-icon";
import ServerIcon from "@patternfly/react-icons/dist/esm/icons/server-icon";
import VirtualMachineIcon from "@patternfly/react-icons/dist/esm/icons/virtual-machine-icon";
import type { ComponentType } from "react";
import type { NodeKind } from "@/api/topology";

/** An icon shows the kind without colour. */
export const KIND_ICON: Record<NodeKind, ComponentType> = {
  SITE: BuildingIcon,
  ELEMENT: RouteIcon,
  NEIGHBOUR: PluggedIcon,
  CLOUD: CloudIcon,
  HOST: ServerIcon,
  INSTANCE: ClusterIcon,
  VM: VirtualMachineIcon,
  NETWORK: NetworkIcon,
};
