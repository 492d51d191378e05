import { useSuspenseQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { q } from "@/api/queries";
import type { OpOcc } from "@/api/types";
import { pb } from "@/paths";
import { GrantView } from "@/operation/GrantView";
import { OperationPanel } from "@/operation/OperationPanel";
import { StepList } from "@/operation/Steps";
import { Story } from "@/operation/Story";
import { PageTabs } from "@/ui/PageTabs";
import { Screen } from "@/ui/Screen";
import { operationText } from "@/ui/states";
import { Since } from "@/ui/Time";

function Parts({ occ }: { occ: OpOcc }) {
  return (
    <PageTabs
      label="Parts of the operation"
      parts={[
        { key: "steps", title: "Steps", content: () => <StepList occ={occ} withCalls /> },
        { key: "story", title: "Story", content: () => <Story occ={occ} /> },
        { key: "grant", title: "Grant", content: () => <GrantView occ={occ} /> },
      ]}
    />
  );
}

export function Component() {
  const { id = "", opOccId = "" } = useParams();
  const { data: occ } = useSuspenseQuery(q.opOcc(opOccId));
  const name = occ.vnfInstanceName;
  return (
    <Screen
      title={`${operationText(occ)} ${name}`}
      crumbs={[
        { text: "VNF instances", to: pb.instances() },
        { text: name, to: pb.instance(id) },
      ]}
      lead={
        <>
          LCM operation occurrence <code>{occ.id}</code>, asked for at <Since at={occ.startTime} />
          {occ.startedBy && ` by ${occ.startedBy}`}
        </>
      }
    >
      <OperationPanel occ={occ}>
        <Parts occ={occ} />
      </OperationPanel>
    </Screen>
  );
}
