import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button, Modal, ModalBody, ModalHeader } from "@patternfly/react-core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState, type ReactNode } from "react";
import { refetchAll } from "@/api/live";
import { q } from "@/api/queries";
import type { Session } from "@/api/types";
import { AlarmAlerts } from "@/features/faults/AlarmAlerts";
import { LoginForm } from "@/features/account/LoginForm";
import { ProblemScreen } from "@/ui/Problem";
import { SessionContext } from "@/ui/rights";
import { LoginPage } from "@/pages/LoginPage";

const AGAIN_MS = 3000;
const TITLE_ID = "session-ended";

/**
 * Another dialog may lie below the login. PatternFly's dialogs hide each other from screen readers, and all of them
 * handle Escape: the login stays readable, and no key closes what is below it.
 */
function useOnTop(isOpen: boolean) {
  useEffect(() => {
    if (!isOpen) return undefined;
    const show = () => document.getElementById(TITLE_ID)?.closest("body > *")?.removeAttribute("aria-hidden");
    const observer = new MutationObserver(show);
    observer.observe(document.body, { attributeFilter: ["aria-hidden"], subtree: true });
    const keep = (event: KeyboardEvent) => {
      if (event.key === "Escape") event.stopPropagation();
    };
    window.addEventListener("keydown", keep, { capture: true });
    show();
    return () => {
      observer.disconnect();
      window.removeEventListener("keydown", keep, { capture: true });
    };
  }, [isOpen]);
}

/**
 * Nothing is rendered without a session. When a session ends, the login covers the page, so that typed values stay.
 */
export function SessionGate({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const session = useQuery({
    ...q.session(),
    refetchInterval: ({ state: { status } }) => (status === "error" ? AGAIN_MS : false),
  });
  const [known, setKnown] = useState<Session | null>(null);
  useOnTop(session.data === null && known !== null);
  if (session.data && session.data !== known) setKnown(session.data);

  useEffect(() => {
    // Requests that failed without a session are sent again.
    if (session.data) refetchAll(client);
  }, [client, session.data]);

  if (session.isError) {
    return (
      <main>
        <ProblemScreen
          error={session.error}
          actions={
            <>
              <Button onClick={() => void session.refetch()}>
                <Trans>Try again</Trans>
              </Button>
              <p>
                <Trans>It is retried every {AGAIN_MS / 1000} seconds.</Trans>
              </p>
            </>
          }
        />
      </main>
    );
  }
  if (session.isPending) return null;
  if (!session.data && !known) return <LoginPage />;
  return (
    <SessionContext value={session.data ?? known ?? undefined}>
      {children}
      <AlarmAlerts />
      <Modal isOpen={!session.data} variant="small" aria-labelledby={TITLE_ID} elementToFocus="#password">
        <ModalHeader
          title={t`Your session has ended`}
          labelId={TITLE_ID}
          description={t`Log in again; the page keeps its state.`}
        />
        <ModalBody>{!session.data && <LoginForm username={known?.username ?? ""} />}</ModalBody>
      </Modal>
    </SessionContext>
  );
}
