import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import NetworkIcon from "@patternfly/react-icons/dist/esm/icons/network-icon";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { q } from "@/api/queries";
import type { NetworkElement, VnfInstance } from "@/api/types";
import { pb } from "@/paths";
import { Empty } from "@/ui/Empty";
import { LinkButton } from "@/ui/LinkButton";
import { LoadingNote } from "@/ui/LoadingNote";
import { ProblemAlert } from "@/ui/Problem";

interface Props {
  instance: VnfInstance;
  /** Text while the instance has no element. */
  none: string;
  /** Follows the reason. */
  hint?: string;
  children: (elements: readonly [NetworkElement, ...NetworkElement[]]) => ReactNode;
}

const WHY: Record<VnfInstance["instantiationState"], string> = {
  NOT_INSTANTIATED: t`The instance is not instantiated. Instantiate it with an SNMP policy, and its network element is managed automatically when it comes up.`,
  INSTANTIATED: t`A virtual router that was instantiated or adopted with an SNMP policy is managed automatically when it comes up. Otherwise register it with this VNF instance.`,
};

export function OwnElements({ instance, none, hint, children }: Props) {
  const { data, error } = useQuery(q.elementsOf(instance.id));
  if (error && !data) return <ProblemAlert error={error} level="h2" />;
  if (!data)
    return (
      <LoadingNote>
        <Trans>Loading its network element…</Trans>
      </LoadingNote>
    );
  const [first, ...others] = data;
  if (first) return <>{children([first, ...others])}</>;
  const why = WHY[instance.instantiationState];
  return (
    <Empty
      title={none}
      icon={NetworkIcon}
      action={
        <LinkButton to={pb.elements()}>
          <Trans>Go to Elements</Trans>
        </LinkButton>
      }
    >
      {hint ? `${why} ${hint}` : why}
    </Empty>
  );
}
