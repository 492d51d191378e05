import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Form } from "@patternfly/react-core";
import { Tbody, Td, Th, Thead, Tr } from "@patternfly/react-table";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { snapshotCreate, snapshotDelete } from "@/api/callsInstance";
import { keys } from "@/api/keys";
import { ProblemError } from "@/api/problem";
import { q } from "@/api/queries";
import type { InstanceSnapshot, VnfInstance } from "@/api/types";
import { OperationDialog } from "@/features/lifecycle/OperationDialog";
import type { Begin } from "@/features/lifecycle/useTask";
import { actionOf, ActionButton, ChangeButton } from "@/ui/ActionButton";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { LoadedRows } from "@/ui/LoadedRows";
import { Panel } from "@/ui/Panel";
import { ProblemAlert } from "@/ui/Problem";
import { lookOf, SNAPSHOT_STATE } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { Table } from "@/ui/Table";
import { Ago } from "@/ui/Time";
import { isTyped, TypedName } from "@/ui/TypedName";

interface DialogProps {
  instance: VnfInstance;
  onClose: () => void;
}

/** A refusal says that nothing has started; a server error (5xx) or a lost answer leaves that open. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ProblemError && error.status >= 400 && error.status < 500;

function TakeDialog({ instance, onClose }: DialogProps) {
  const client = useQueryClient();
  const [planned] = useState({});
  // A request that is repeated after a lost answer uses the same snapshot.
  const resource = useRef<string>(undefined);
  const begin: Begin<"CREATE_SNAPSHOT"> = async (_planned, send) => {
    const id = resource.current ?? (await snapshotCreate()).id;
    resource.current = id;
    try {
      await send({ vnfSnapshotInfoId: id });
    } catch (error) {
      if (isRefusal(error)) {
        resource.current = undefined;
        // A record that remains has no resources in the cloud, so a failure does not matter.
        await snapshotDelete(id).catch(() => undefined);
      }
      throw error;
    }
    void client.invalidateQueries({ queryKey: keys.instanceSnapshots(instance.id) });
  };
  return (
    <OperationDialog
      instance={instance}
      operation="CREATE_SNAPSHOT"
      request={planned}
      begin={begin}
      title={t`Snapshot of ${instance.name}`}
      button={t`Take a snapshot`}
      onClose={onClose}
    >
      <p>
        <Trans>The VNF runs on while the cloud copies its disks.</Trans>
      </p>
    </OperationDialog>
  );
}

function RevertDialog({ instance, snapshot, onClose }: DialogProps & { snapshot: InstanceSnapshot }) {
  const [typed, setTyped] = useState("");
  const [request] = useState({ vnfSnapshotInfoId: snapshot.id });
  return (
    <OperationDialog
      danger
      instance={instance}
      operation="REVERT_TO_SNAPSHOT"
      request={request}
      firstFieldId="revert-name"
      title={t`Revert ${instance.name}`}
      button={t`Revert`}
      agreed={isTyped(typed, instance.name)}
      onClose={onClose}
    >
      <p>
        <Trans>
          Disks become as they were <Ago at={snapshot.startedAt} />. What was written since is lost; the plan names what
          stays.
        </Trans>
      </p>
      <Form isHorizontal aria-label={t`Revert`} onSubmit={(event) => event.preventDefault()}>
        <TypedName
          id="revert-name"
          label={t`Name of the instance`}
          name={instance.name}
          value={typed}
          onChange={setTyped}
        />
      </Form>
    </OperationDialog>
  );
}

function DeleteDialog({ instance, snapshot, onClose }: DialogProps & { snapshot: InstanceSnapshot }) {
  const client = useQueryClient();
  return (
    <ConfirmDialog
      title={t`Delete the snapshot`}
      button={t`Delete`}
      run={() => snapshotDelete(snapshot.id)}
      onDone={() => {
        void client.invalidateQueries({ queryKey: keys.instanceSnapshots(instance.id) });
        onClose();
      }}
      onClose={onClose}
    >
      <Trans>Its images and volume snapshots are deleted in the cloud.</Trans>
    </ConfirmDialog>
  );
}

function Content({ snapshot }: { snapshot: InstanceSnapshot }) {
  if (snapshot.removalProblem) return <ProblemAlert error={snapshot.removalProblem} level="h3" />;
  const volumes = snapshot.vnfcs.reduce((sum, vnfc) => sum + vnfc.volumes, 0);
  const vnfcs = plural(snapshot.vnfcs.length, { one: "# VNFC", other: "# VNFCs" });
  return <>{volumes > 0 ? t`${vnfcs}, ${plural(volumes, { one: "# volume", other: "# volumes" })}` : vnfcs}</>;
}

interface RowProps {
  instance: VnfInstance;
  snapshot: InstanceSnapshot;
  onRevert: () => void;
  onDelete: () => void;
}

function Row({ instance, snapshot, onRevert, onDelete }: RowProps) {
  const when = snapshot.startedAt;
  const booted = snapshot.bootedVnfcs.join(", ");
  return (
    <Tr>
      <Th scope="row" dataLabel={t`Taken`}>
        <Ago at={when} />
      </Th>
      <Td dataLabel={t`State`}>
        <StateLabel look={lookOf(SNAPSHOT_STATE, snapshot.state)} />
      </Td>
      <Td dataLabel={t`Content`}>
        <Content snapshot={snapshot} />
      </Td>
      <Td dataLabel={t`By`}>{snapshot.createdBy}</Td>
      <Td isActionCell>
        {snapshot.state === "AVAILABLE" && (
          <ActionButton
            variant="secondary"
            size="sm"
            aria-label={t`Revert to the snapshot of ${when}`}
            action={actionOf(instance.actions, "revert_to_snapshot")}
            onClick={onRevert}
          >
            <Trans>Revert</Trans>
          </ActionButton>
        )}{" "}
        {snapshot.state !== "CREATING" && (
          <ChangeButton
            variant="link"
            size="sm"
            aria-label={t`Delete the snapshot of ${when}`}
            {...(booted ? { whyNot: t`${booted} was reverted to it: Nova needs its image.` } : {})}
            onClick={onDelete}
          >
            <Trans>Delete</Trans>
          </ChangeButton>
        )}
      </Td>
    </Tr>
  );
}

type Choice = { what: "take" } | { what: "revert" | "delete"; snapshot: InstanceSnapshot };

export function Snapshots({ instance }: { instance: VnfInstance }) {
  const query = useQuery(q.instanceSnapshots(instance.id));
  const [choice, setChoice] = useState<Choice>();
  const close = () => setChoice(undefined);
  const take = (
    <ActionButton
      variant="secondary"
      size="sm"
      action={actionOf(instance.actions, "create_snapshot")}
      onClick={() => setChoice({ what: "take" })}
    >
      <Trans>Take a snapshot</Trans>
    </ActionButton>
  );
  return (
    <Panel title={t`Snapshots`} {...(query.data ? { count: query.data.length } : {})} actions={take}>
      <LoadedRows query={query} loading={t`Loading the snapshots…`} none={<p>{t`No snapshots.`}</p>}>
        {(rows) => (
          <Table aria-label={t`Snapshots`}>
            <Thead>
              <Tr>
                <Th>
                  <Trans>Taken</Trans>
                </Th>
                <Th>
                  <Trans>State</Trans>
                </Th>
                <Th>
                  <Trans>Content</Trans>
                </Th>
                <Th>
                  <Trans>By</Trans>
                </Th>
                <Th screenReaderText={t`Actions`} />
              </Tr>
            </Thead>
            <Tbody>
              {rows.map((snapshot) => (
                <Row
                  key={snapshot.id}
                  instance={instance}
                  snapshot={snapshot}
                  onRevert={() => setChoice({ what: "revert", snapshot })}
                  onDelete={() => setChoice({ what: "delete", snapshot })}
                />
              ))}
            </Tbody>
          </Table>
        )}
      </LoadedRows>
      {choice?.what === "take" && <TakeDialog instance={instance} onClose={close} />}
      {choice?.what === "revert" && <RevertDialog instance={instance} snapshot={choice.snapshot} onClose={close} />}
      {choice?.what === "delete" && <DeleteDialog instance={instance} snapshot={choice.snapshot} onClose={close} />}
    </Panel>
  );
}
