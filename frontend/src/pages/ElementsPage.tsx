import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { ToggleGroup, ToggleGroupItem } from "@patternfly/react-core";
import ListIcon from "@patternfly/react-icons/dist/esm/icons/list-icon";
import PlusCircleIcon from "@patternfly/react-icons/dist/esm/icons/plus-circle-icon";
import SitemapIcon from "@patternfly/react-icons/dist/esm/icons/sitemap-icon";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { elementRegister } from "@/api/callsElements";
import { keys } from "@/api/keys";
import { q } from "@/api/queries";
import type { ElementInput, NetworkElement } from "@/api/types";
import { ElementList } from "@/features/elements/ElementList";
import { ELEMENT_FIELDS } from "@/features/elements/elementFields";
import { presetPolicies } from "@/features/elements/presetPolicies";
import { NetworkTree } from "@/features/elements/network/NetworkTree";
import { pb } from "@/paths";
import { RecordDialog } from "@/records/RecordDialog";
import { SavedViews } from "@/table/SavedViews";
import { ChangeButton } from "@/ui/ActionButton";
import { useAddress } from "@/ui/address";
import { LinkButton } from "@/ui/LinkButton";
import { Screen } from "@/ui/Screen";

const VIEW = "view";
const TREE = "tree";

/** The address holds the view. */
function ViewToggle({ isTree, onChange }: { isTree: boolean; onChange: (view: string) => void }) {
  return (
    <ToggleGroup aria-label={t`View`}>
      <ToggleGroupItem
        buttonId="view-list"
        icon={<ListIcon />}
        text={t`List`}
        isSelected={!isTree}
        onChange={() => onChange("")}
      />
      <ToggleGroupItem
        buttonId="view-tree"
        icon={<SitemapIcon />}
        text={t`Tree`}
        isSelected={isTree}
        onChange={() => onChange(TREE)}
      />
    </ToggleGroup>
  );
}

/** Most routers of a network are reached in the same way, so the form starts from the latest one. */
const LAST = { filter: "(eq,kind,PHYSICAL)", sort: "-createdAt", pageSize: 1 } as const;

function RegisterDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  // The form also opens without an answer, with nothing preset.
  const latest = useQuery({ ...q.elements(LAST), retry: false, refetchInterval: false });
  const policies = useQuery({ ...q.mediationPolicies(), retry: false });
  if (latest.isLoading || policies.isLoading) return null;
  const last = latest.data?.rows[0];
  return (
    <RecordDialog
      title={t`Register a network element`}
      button={t`Register`}
      lead={t`Polling starts at once. Policies are preset by the address: those whose networks have it.`}
      fields={ELEMENT_FIELDS}
      initial={{ kind: "PHYSICAL" }}
      presets={({ managementAddress }) => presetPolicies(String(managementAddress), policies.data ?? [], last)}
      isNew
      save={(input) => elementRegister(input as unknown as ElementInput)}
      onSaved={(saved) => {
        void client.invalidateQueries({ queryKey: keys.elements });
        void navigate(pb.element((saved as NetworkElement).id));
      }}
      onClose={onClose}
    />
  );
}

function ElementsPage() {
  const [params, setAddress] = useAddress();
  const isTree = params.get(VIEW) === TREE;
  const [registering, setRegistering] = useState(false);
  const register = (
    <ChangeButton icon={<PlusCircleIcon />} onClick={() => setRegistering(true)}>
      <Trans>Register an element</Trans>
    </ChangeButton>
  );
  return (
    <Screen
      title={t`Elements`}
      actions={
        <>
          <ViewToggle isTree={isTree} onChange={(view) => setAddress({ [VIEW]: view })} />
          {register}
          <SavedViews list="elements" />
          <LinkButton variant="secondary" to={pb.traps()}>
            <Trans>Traps</Trans>
          </LinkButton>
          <LinkButton variant="secondary" to={pb.administration("discovery")}>
            <Trans>Discovery</Trans>
          </LinkButton>
        </>
      }
    >
      {isTree ? <NetworkTree register={register} /> : <ElementList register={register} />}
      {registering && <RegisterDialog onClose={() => setRegistering(false)} />}
    </Screen>
  );
}

export { ElementsPage as Component };
