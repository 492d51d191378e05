import type { Alarm } from "@/api/types";
import { pb } from "@/paths";
import { RowLink } from "@/ui/RowLink";
import { partAddress } from "./partAddress";

const PAGES: Record<Alarm["managedObjectType"], (id: string) => string> = {
  VNF_INSTANCE: pb.instance,
  NETWORK_ELEMENT: pb.element,
  VIM: pb.vim,
  MANAGER: () => pb.overview(),
};

export function ManagedObject({ alarm }: { alarm: Alarm }) {
  return (
    <RowLink to={PAGES[alarm.managedObjectType](alarm.managedObjectId)}>
      {alarm.managedObjectName || alarm.managedObjectId}
    </RowLink>
  );
}

/** A part is a link if a page shows it. */
export function AlarmPart({ alarm }: { alarm: Alarm }) {
  const to = partAddress(alarm);
  const name = alarm.faultyResourceName || alarm.faultyResource;
  if (!to) return <>{name}</>;
  return <RowLink to={to}>{name}</RowLink>;
}
