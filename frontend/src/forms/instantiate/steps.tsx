import { Alert, Radio, Title } from "@patternfly/react-core";
import { useSuspenseQuery } from "@tanstack/react-query";
import CloudIcon from "@patternfly/react-icons/dist/esm/icons/cloud-icon";
import CubesIcon from "@patternfly/react-icons/dist/esm/icons/cubes-icon";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { q } from "@/api/queries";
import type { Vim } from "@/api/types";
import { pb } from "@/paths";
import { ConditionLine, conditionOf } from "@/ui/Conditions";
import { Empty } from "@/ui/Empty";
import { plural } from "@/ui/format";
import { vnfdTitle } from "@/ui/names";
import type { Change, Draft } from "./draft";

export interface StepProps {
  draft: Draft;
  change: (change: Change) => void;
}

interface ChoiceProps {
  id: string;
  name: string;
  chosen: boolean;
  onChoose: () => void;
  children: ReactNode;
}
/** A card that is one radio button of a group; all of it may be clicked. */
function Choice({ id, name, chosen, onChoose, children }: ChoiceProps) {
  return (
    <div className={chosen ? "vm-choice vm-chosen" : "vm-choice"}>
      <Radio id={`choose-${id}`} name="choice" label={name} isChecked={chosen} onChange={onChoose} body={children} />
    </div>
  );
}

export function VnfStep({ draft, change }: StepProps) {
  const { data: vnfds } = useSuspenseQuery(q.vnfds());
  return (
    <>
      <Title headingLevel="h2" size="xl" className="vm-wizard-title" tabIndex={-1}>
        Choose a VNF
      </Title>
      {vnfds.length === 0 ? (
        <Empty title="The catalog is empty" icon={CubesIcon} action={<Link to={pb.catalog()}>Go to the catalog</Link>}>
          Onboard a VNF package first.
        </Empty>
      ) : (
        <div className="vm-choices" role="radiogroup" aria-label="VNF">
          {vnfds.map((vnfd) => (
            <Choice
              key={vnfd.vnfdId}
              id={vnfd.vnfdId}
              name={vnfdTitle(vnfd)}
              chosen={draft.vnfdId === vnfd.vnfdId}
              onChoose={() => change({ type: "vnfd", vnfdId: vnfd.vnfdId })}
            >
              <p>{vnfd.description}</p>
              <p className="vm-quiet">
                VNFD {vnfd.vnfdVersion} · {plural(vnfd.vdus.length, "VDU")} ·{" "}
                {plural(
                  vnfd.flavours.reduce((n, f) => n + f.scalingAspects.length, 0),
                  "scaling aspect",
                )}
              </p>
            </Choice>
          ))}
        </div>
      )}
    </>
  );
}

function CloudChoice({ vim, draft, change }: StepProps & { vim: Vim }) {
  const reachable = conditionOf(vim.conditions, "VimReachable");
  return (
    <Choice
      id={vim.id}
      name={vim.name}
      chosen={draft.vimId === vim.id}
      onChoose={() => change({ type: "vim", vimId: vim.id })}
    >
      {vim.description && <p>{vim.description}</p>}
      <p className="vm-quiet">
        {vim.authUrl} · region {vim.region || "—"} · project {vim.projectName}
      </p>
      {reachable && <ConditionLine condition={reachable} />}
    </Choice>
  );
}

export function CloudStep({ draft, change, children }: StepProps & { children?: ReactNode }) {
  const { data: vims } = useSuspenseQuery(q.vims());
  const chosen = vims.find((vim) => vim.id === draft.vimId);
  const reachable = chosen && conditionOf(chosen.conditions, "VimReachable");
  return (
    <>
      <Title headingLevel="h2" size="xl" className="vm-wizard-title" tabIndex={-1}>
        Choose a cloud
      </Title>
      {children}
      {draft.errors["vimId"] && (
        <Alert
          isInline
          variant="danger"
          title={draft.errors["vimId"]}
          component="h3"
          role="alert"
          className="vm-alert"
        />
      )}
      {vims.length === 0 ? (
        <Empty
          title="No cloud is registered"
          icon={CloudIcon}
          action={<Link to={pb.vimRegister()}>Register a cloud</Link>}
        >
          A VNF is deployed on an OpenStack cloud.
        </Empty>
      ) : (
        <div className="vm-choices" role="radiogroup" aria-label="Cloud">
          {vims.map((vim) => (
            <CloudChoice key={vim.id} vim={vim} draft={draft} change={change} />
          ))}
        </div>
      )}
      {reachable && reachable.status !== "True" && (
        <Alert
          isInline
          variant="warning"
          component="h3"
          title="This cloud could not be reached at the last look"
          className="vm-alert"
        >
          The plan will most likely fail until it answers again.
        </Alert>
      )}
    </>
  );
}
