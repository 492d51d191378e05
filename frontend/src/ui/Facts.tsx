import {
  DescriptionList,
  DescriptionListDescription,
  DescriptionListGroup,
  DescriptionListTerm,
} from "@patternfly/react-core";
import type { ReactNode } from "react";

export type Fact = [term: string, value: ReactNode];

export function Facts({ facts, isStacked = false }: { facts: Fact[]; isStacked?: boolean }) {
  return (
    <DescriptionList isHorizontal={!isStacked} isCompact className={isStacked ? "vm-summary" : "vm-dl"}>
      {facts.map(([term, value]) => (
        <DescriptionListGroup key={term}>
          <DescriptionListTerm>{term}</DescriptionListTerm>
          <DescriptionListDescription>{value}</DescriptionListDescription>
        </DescriptionListGroup>
      ))}
    </DescriptionList>
  );
}
