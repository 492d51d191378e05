import { Button, Modal, ModalBody, ModalHeader } from "@patternfly/react-core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState, type ReactNode } from "react";
import { refetchAll } from "@/api/live";
import { q } from "@/api/queries";
import type { Session } from "@/api/types";
import { AlarmAlerts } from "@/faults/AlarmAlerts";
import { LoginForm } from "@/forms/login";
import { ProblemScreen } from "@/ui/Problem";
import { LoginPage } from "./LoginPage";

/**
 * Nothing of the console is drawn without a session. A session that ends while somebody works is asked for on top of
 * the page, so that what was typed stays.
 */
export function SessionGate({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const session = useQuery(q.session());
  const [known, setKnown] = useState<Session | null>(null);
  if (session.data && session.data !== known) setKnown(session.data);

  useEffect(() => {
    // What failed for want of a session is asked again.
    if (session.data) refetchAll(client);
  }, [client, session.data]);

  if (session.isError) {
    return (
      <main>
        <ProblemScreen
          error={session.error}
          actions={<Button onClick={() => void session.refetch()}>Try again</Button>}
        />
      </main>
    );
  }
  if (session.isPending) return null;
  if (!session.data && !known) return <LoginPage />;
  return (
    <>
      {children}
      <AlarmAlerts />
      <Modal isOpen={!session.data} variant="small" aria-labelledby="session-ended">
        <ModalHeader
          title="Your session has ended"
          labelId="session-ended"
          description="Log in again; the page under this is as you left it."
        />
        <ModalBody>{!session.data && <LoginForm username={known?.username ?? ""} />}</ModalBody>
      </Modal>
    </>
  );
}
