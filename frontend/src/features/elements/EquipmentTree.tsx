import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { networkQueries } from "@/api/network";
import type { Equipment, NetworkElement } from "@/api/types";
import { AlarmNumbers, numbersOf } from "@/features/faults/AlarmNumbers";
import { pb } from "@/paths";
import { RowTree } from "@/ui/RowTree";
import { PartLine } from "./PartLine";
import { above, fdnOf, openAtFirst, rowsOf, treeOf } from "./equipment";
import { NETWORK_FDN } from "@/api/network";

interface Props {
  element: NetworkElement;
  parts: readonly Equipment[];
  chosen: string;
  onChoose: (fdn: string) => void;
}

/** Each line counts the alarms of the part and of everything inside it. */
export function EquipmentTree({ element, parts, chosen, onChoose }: Props) {
  const tree = useMemo(() => treeOf(element, parts), [element, parts]);
  const numbers = numbersOf(useQuery(networkQueries.parts(element.id)));
  const [opened, setOpened] = useState<ReadonlySet<string>>();
  const open = useMemo(() => opened ?? openAtFirst(tree, parts), [opened, tree, parts]);
  const rows = useMemo(() => rowsOf(tree, open), [tree, open]);
  // The tree opens down to the part that the address names; the user may close it again.
  const [shown, setShown] = useState("");
  if (shown !== chosen && parts.some(({ fdn }) => fdn === chosen)) {
    setShown(chosen);
    const way = above(chosen, parts);
    if (way.some((fdn) => !open.has(fdn))) setOpened(new Set([...open, ...way]));
  }
  function toggle(fdn: string) {
    const next = new Set(open);
    if (!next.delete(fdn)) next.add(fdn);
    setOpened(next);
  }
  return (
    <RowTree
      label={t`Equipment of ${element.name}`}
      lines={rows}
      chosen={chosen}
      onToggle={({ id }) => toggle(id)}
      onChoose={({ id }) => onChoose(id)}
      draw={({ id, node, isOpen }, reach) => (
        <PartLine node={node} isOpen={isOpen} name={node.title}>
          {id !== NETWORK_FDN && (
            <AlarmNumbers
              of={node.title}
              numbers={numbers(id === fdnOf(element) ? "" : id)}
              to={node.part ? pb.alarmsIn(element.id, id) : pb.alarmsFor(element.id)}
              reach={reach}
            />
          )}
        </PartLine>
      )}
    />
  );
}
