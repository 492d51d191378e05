import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button } from "@patternfly/react-core";
import type { TopologyMap } from "@/api/topology";
import { ExplainedButton } from "@/ui/ActionButton";
import { BOXES, EVERYTHING } from "./groups";

interface Props {
  map: TopologyMap;
  onExpand: (expand: readonly string[]) => void;
  /** Undefined while no box was moved. */
  onForget: (() => void) | undefined;
}

export function GroupButtons({ map, onExpand, onForget }: Props) {
  const total = Object.values(map.totals).reduce((sum, n) => sum + n, 0);
  const whyNot = total > BOXES ? t`${total} boxes are too many for the map: open groups one by one.` : undefined;
  return (
    <>
      <ExplainedButton variant="secondary" size="sm" whyNot={whyNot} onClick={() => onExpand(EVERYTHING)}>
        <Trans>Expand all</Trans>
      </ExplainedButton>
      <Button variant="secondary" size="sm" onClick={() => onExpand([])}>
        <Trans>Collapse all</Trans>
      </Button>
      {onForget && (
        <Button variant="secondary" size="sm" onClick={onForget}>
          <Trans>Reset layout</Trans>
        </Button>
      )}
    </>
  );
}
