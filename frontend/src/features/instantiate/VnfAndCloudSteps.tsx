import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Alert, Radio, Title } from "@patternfly/react-core";
import { useSuspenseQuery } from "@tanstack/react-query";
import CloudIcon from "@patternfly/react-icons/dist/esm/icons/cloud-icon";
import CubesIcon from "@patternfly/react-icons/dist/esm/icons/cubes-icon";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { q } from "@/api/queries";
import type { Vim } from "@/api/types";
import { pb } from "@/paths";
import { ConditionItem, conditionOf } from "@/ui/Conditions";
import { Empty } from "@/ui/Empty";
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
/** The whole card is clickable and acts as one radio button of a group. */
function Choice({ id, name, chosen, onChoose, children }: ChoiceProps) {
  return (
    <div className={chosen ? "vm-choice vm-chosen" : "vm-choice"}>
      <Radio id={`choose-${id}`} name="choice" label={name} isChecked={chosen} onChange={onChoose} body={children} />
    </div>
  );
}

export function VnfStep({ draft, change }: StepProps) {
  const { data } = useSuspenseQuery(q.vnfds());
  const vnfds = data.toSorted((a, b) => vnfdTitle(a).localeCompare(vnfdTitle(b)));
  return (
    <>
      <Title headingLevel="h2" size="xl" className="vm-wizard-title" tabIndex={-1}>
        <Trans>Choose a VNF</Trans>
      </Title>
      {vnfds.length === 0 ? (
        <Empty
          title={t`The catalog is empty`}
          icon={CubesIcon}
          action={
            <Link to={pb.catalog()}>
              <Trans>Go to the catalog</Trans>
            </Link>
          }
        >
          <Trans>Onboard a VNF package first.</Trans>
        </Empty>
      ) : (
        <div className="vm-choices" role="radiogroup" aria-label={t`VNF`}>
          {vnfds.map((vnfd) => (
            <Choice
              key={vnfd.vnfdId}
              id={vnfd.vnfdId}
              name={vnfdTitle(vnfd)}
              chosen={draft.vnfdId === vnfd.vnfdId}
              onChoose={() => change({ type: "vnfd", vnfdId: vnfd.vnfdId })}
            >
              <p className="vm-clamp" title={vnfd.description}>
                {vnfd.description}
              </p>
              <p className="vm-quiet">
                {[
                  t`VNFD ${vnfd.vnfdVersion}`,
                  plural(vnfd.vdus.length, { one: "# VDU", other: "# VDUs" }),
                  plural(
                    vnfd.flavours.reduce((n, f) => n + f.scalingAspects.length, 0),
                    { one: "# scaling aspect", other: "# scaling aspects" },
                  ),
                ].join(" · ")}
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
        <Trans>
          {vim.authUrl} · region {vim.region || "—"} · project {vim.projectName}
        </Trans>
      </p>
      {reachable && <ConditionItem condition={reachable} />}
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
        <Trans>Choose a cloud</Trans>
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
          title={t`No cloud is registered`}
          icon={CloudIcon}
          action={
            <Link to={pb.vimRegister()}>
              <Trans>Register a cloud</Trans>
            </Link>
          }
        >
          <Trans>A VNF is deployed on an OpenStack cloud.</Trans>
        </Empty>
      ) : (
        <div className="vm-choices" role="radiogroup" aria-label={t`Cloud`}>
          {vims.map((vim) => (
            <CloudChoice key={vim.id} vim={vim} draft={draft} change={change} />
          ))}
        </div>
      )}
      {reachable && reachable.status !== "True" && (
        <Alert isInline variant="warning" component="h3" title={t`Cloud unreachable at last poll`} className="vm-alert">
          <Trans>The plan will most likely fail until it responds again.</Trans>
        </Alert>
      )}
    </>
  );
}
