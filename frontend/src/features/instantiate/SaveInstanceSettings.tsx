import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Modal, ModalBody, ModalHeader } from "@patternfly/react-core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useId } from "react";
import { q } from "@/api/queries";
import type { VnfInstance } from "@/api/types";
import { LoadingNote } from "@/ui/LoadingNote";
import { ProblemAlert } from "@/ui/Problem";
import { SaveEnvironmentDialog, environmentContentOfInstance } from "./SaveEnvironment";
import { readChoices } from "./origin";

interface Props {
  instance: VnfInstance;
  onClose: () => void;
}

export function SaveInstanceSettings({ instance, onClose }: Props) {
  const id = useId();
  const client = useQueryClient();
  const title = t`Save the settings of ${instance.name} as an environment`;
  const found = useQuery({
    queryKey: ["settings_of", instance.id, instance.version],
    queryFn: async () => {
      const vnfd = await client.query(q.vnfd(instance.vnfdId));
      const { chosen } = await readChoices(client, vnfd, instance.id);
      return { vnfd, unnamed: environmentContentOfInstance(vnfd, chosen) };
    },
  });
  if (found.data) return <SaveEnvironmentDialog {...found.data} title={title} onClose={onClose} />;
  return (
    <Modal isOpen variant="small" onClose={onClose} aria-labelledby={id}>
      <ModalHeader title={title} labelId={id} />
      <ModalBody>
        {found.isError ? (
          <ProblemAlert error={found.error} level="h2" />
        ) : (
          <LoadingNote>
            <Trans>Loading the settings…</Trans>
          </LoadingNote>
        )}
      </ModalBody>
    </Modal>
  );
}
