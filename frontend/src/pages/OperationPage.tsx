import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { q } from "@/api/queries";
import type { OpOcc } from "@/api/types";
import { pb } from "@/paths";
import { GrantView } from "@/features/operations/GrantView";
import { OperationPanel } from "@/features/operations/OperationPanel";
import { StepList } from "@/features/operations/StepList";
import { OperationTimeline } from "@/features/operations/OperationTimeline";
import { PageTabs } from "@/ui/PageTabs";
import { Screen } from "@/ui/Screen";
import { operationText } from "@/ui/operationText";
import { Since } from "@/ui/Time";

function Parts({ occ }: { occ: OpOcc }) {
  return (
    <PageTabs
      label={t`Parts of the operation`}
      parts={[
        { key: "steps", title: t`Steps`, content: () => <StepList occ={occ} withCalls /> },
        { key: "story", title: t`Timeline`, content: () => <OperationTimeline occ={occ} /> },
        { key: "grant", title: t`Grant`, content: () => <GrantView occ={occ} /> },
      ]}
    />
  );
}

function OperationPage() {
  const { id = "", opOccId = "" } = useParams();
  const { data: occ } = useSuspenseQuery(q.opOcc(opOccId));
  const name = occ.vnfInstanceName;
  return (
    <Screen
      title={t`${operationText(occ)} ${name}`}
      crumbs={[
        { text: t`VNF instances`, to: pb.instances() },
        { text: name, to: pb.instance(id) },
      ]}
      lead={
        occ.startedBy ? (
          <Trans>
            LCM operation occurrence <code>{occ.id}</code>, requested at <Since at={occ.startTime} /> by {occ.startedBy}
          </Trans>
        ) : (
          <Trans>
            LCM operation occurrence <code>{occ.id}</code>, requested at <Since at={occ.startTime} />
          </Trans>
        )
      }
    >
      <OperationPanel occ={occ}>
        <Parts occ={occ} />
      </OperationPanel>
    </Screen>
  );
}

export { OperationPage as Component };
