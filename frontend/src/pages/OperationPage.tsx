import { useSuspenseQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { q } from "@/api/queries";
import { pb } from "@/paths";
import { OperationPanel, operationTitle } from "@/instance/OperationPanel";
import { Screen } from "@/ui/Screen";
import { Since } from "@/ui/Time";

export function Component() {
  const { id = "", opOccId = "" } = useParams();
  const { data: occ } = useSuspenseQuery(q.opOcc(opOccId));
  const name = occ.vnfInstanceName;
  return (
    <Screen
      title={`${operationTitle(occ)} ${name}`}
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
      <OperationPanel occ={occ} />
    </Screen>
  );
}
