import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Alert, Button, Form, Modal, ModalBody, ModalFooter, ModalHeader } from "@patternfly/react-core";
import { Tbody, Th, Thead, Tr } from "@patternfly/react-table";
import { useCallback, useId, useState } from "react";
import type { VnfInstanceSummary } from "@/api/types";
import { Table } from "@/ui/Table";
import { isTyped, TypedName } from "@/ui/TypedName";
import { BULK, type BulkOperation, type BulkRequest, type Outcome } from "./bulkPlan";
import { BulkChoices, requestOfChoices, USUAL_CHOICES } from "./BulkChoices";
import { BulkPlanRow } from "./BulkPlanRow";
import { BulkProgress } from "./BulkProgress";
import { useBulkStart } from "./useBulkStart";

interface Props {
  operation: BulkOperation;
  instances: readonly VnfInstanceSummary[];
  onClose: () => void;
}

const AT_ONCE = 3;

type Ready = Extract<Outcome, { ready: true }>;

/** Losses are shown first. */
function Losses({ ready }: { ready: readonly Ready[] }) {
  const losing = ready.filter(({ deleted, others }) => deleted.length + others > 0);
  if (losing.length === 0) return null;
  const vnfcs = losing.reduce((sum, { deleted }) => sum + deleted.length, 0);
  const others = losing.reduce((sum, each) => sum + each.others, 0);
  const names = losing.map(({ instance }) => instance.name).join(", ");
  const counted = [
    plural(vnfcs, { one: "# VNFC", other: "# VNFCs" }),
    ...(others > 0 ? [plural(others, { one: "# other resource", other: "# other resources" })] : []),
  ].join(t` and `);
  return (
    <Alert isInline variant="danger" component="h2" title={t`Deleted or replaced: ${counted}`}>
      <Trans>Of {names}.</Trans>
    </Alert>
  );
}

interface PlansProps {
  operation: BulkOperation;
  instances: readonly VnfInstanceSummary[];
  request: BulkRequest | undefined;
  outcomes: Readonly<Record<string, Outcome | undefined>>;
  onOutcome: (id: string, outcome: Outcome | undefined) => void;
}

function Plans({ operation, instances, request, outcomes, onOutcome }: PlansProps) {
  const settled = instances.filter(({ id }) => outcomes[id]).length;
  return (
    <Table aria-label={t`Plan of each instance`}>
      <Thead>
        <Tr>
          <Th>
            <Trans>VNF instance</Trans>
          </Th>
          <Th>
            <Trans>Plan</Trans>
          </Th>
          <Th>
            <Trans>Deleted or replaced</Trans>
          </Th>
        </Tr>
      </Thead>
      <Tbody>
        {instances.map((summary, index) => (
          <BulkPlanRow
            key={summary.id}
            {...{ summary, operation, request, onOutcome }}
            active={index < settled + AT_ONCE}
          />
        ))}
      </Tbody>
    </Table>
  );
}

/** Starts one operation per instance and shows their progress. */
export default function BulkDialog({ operation, instances, onClose }: Props) {
  const id = useId();
  // The list may change behind the dialog, so the selection is kept.
  const [chosen] = useState(instances);
  const [choices, setChoices] = useState(USUAL_CHOICES);
  const [outcomes, setOutcomes] = useState<Readonly<Record<string, Outcome | undefined>>>({});
  const [typed, setTyped] = useState("");
  const { lines, isStarting, start } = useBulkStart(operation);
  const onOutcome = useCallback(
    (of: string, outcome: Outcome | undefined) => setOutcomes((before) => ({ ...before, [of]: outcome })),
    [],
  );
  const request = requestOfChoices(operation, choices);
  const found = chosen.map((each) => outcomes[each.id]);
  const ready = found.filter((each): each is Ready => each?.ready === true);
  const count = ready.length;
  const isPlanned = request !== undefined && found.every((each) => each !== undefined);
  const loses = ready.some(({ deleted, others }) => deleted.length + others > 0);
  const agreed = !loses || isTyped(typed, String(count));
  const title = BULK[operation].title(isPlanned ? count : chosen.length);
  return (
    <Modal isOpen variant="large" onClose={onClose} aria-labelledby={id}>
      <ModalHeader title={title} labelId={id} {...(loses ? { titleIconVariant: "warning" as const } : {})} />
      <ModalBody>
        {lines.length > 0 ? (
          <BulkProgress lines={lines} />
        ) : (
          <div className="vm-stack">
            <Losses ready={ready} />
            <BulkChoices operation={operation} first={chosen[0]} value={choices} onChange={setChoices} />
            <Plans operation={operation} instances={chosen} {...{ request, outcomes, onOutcome }} />
            {isPlanned && loses && (
              <Form onSubmit={(event) => event.preventDefault()}>
                <TypedName
                  id="bulk-count"
                  label={t`Number of instances`}
                  name={String(count)}
                  value={typed}
                  onChange={setTyped}
                />
              </Form>
            )}
          </div>
        )}
      </ModalBody>
      <ModalFooter>
        {lines.length === 0 && (
          <Button
            variant={loses ? "danger" : "primary"}
            isDisabled={!isPlanned || count === 0 || !agreed}
            onClick={() =>
              request &&
              void start(
                ready.map(({ instance }) => instance),
                request,
              )
            }
          >
            {title}
          </Button>
        )}
        <Button variant="link" isDisabled={isStarting} onClick={onClose}>
          {lines.length > 0 ? t`Close` : t`Cancel`}
        </Button>
      </ModalFooter>
    </Modal>
  );
}
