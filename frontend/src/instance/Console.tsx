import { Button, Switch } from "@patternfly/react-core";
import DownloadIcon from "@patternfly/react-icons/dist/esm/icons/download-icon";
import ExternalLinkIcon from "@patternfly/react-icons/dist/esm/icons/external-link-alt-icon";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { vnfcConsole } from "@/api/calls-instance";
import { q } from "@/api/queries";
import type { Vnfc, VnfInstance } from "@/api/types";
import { download } from "@/ui/download";
import { Drawer } from "@/ui/Drawer";
import { Pending } from "@/ui/Pending";
import { ProblemAlert } from "@/ui/Problem";
import { Since } from "@/ui/Time";

interface Props {
  instance: VnfInstance;
  vnfc: Vnfc;
  onClose: () => void;
}

/** A way to the VM's console. The link holds a token: it is asked for anew each time, and kept nowhere. */
export function ConsoleDrawer({ instance, vnfc, onClose }: Props) {
  const { mutate, data, error, isPending, submittedAt } = useMutation({
    mutationFn: () => vnfcConsole(instance.id, vnfc.id),
    gcTime: 0,
  });
  useEffect(() => mutate(), [mutate]);
  return (
    <Drawer title={`Console of ${vnfc.name}`} shown={vnfc.id} onClose={onClose}>
      {isPending && <Pending>Asking the cloud for the console…</Pending>}
      {error && <ProblemAlert error={error} />}
      {data && (
        <>
          <p>The cloud has opened a console. Whoever has its address is at the console: do not pass it on.</p>
          <p className="vm-quiet">
            Asked for at <Since at={new Date(submittedAt).toISOString()} />. Clouds let such an address lapse, most of
            them after ten minutes: then get another one.
          </p>
          <div>
            <Button
              component="a"
              href={data.url}
              target="_blank"
              rel="noopener noreferrer"
              icon={<ExternalLinkIcon />}
              iconPosition="end"
            >
              Open the console in a new tab
            </Button>
          </div>
        </>
      )}
      <div>
        <Button variant="secondary" isLoading={isPending} isDisabled={isPending} onClick={() => mutate()}>
          {error ? "Ask again" : "Get another address"}
        </Button>
      </div>
    </Drawer>
  );
}

/** How often a log that is followed is read, and how often after a refusal. */
const PACE_MS = 5000;
const PACE_AFTER_ERROR_MS = 30_000;

/** What the guest wrote; where it is followed, its end stays in sight. */
function Written({ text, name, isFollowed }: { text: string; name: string; isFollowed: boolean }) {
  const ref = useRef<HTMLPreElement>(null);
  useEffect(() => {
    if (isFollowed && ref.current) ref.current.scrollTop = ref.current.scrollHeight;
  }, [isFollowed, text]);
  if (text === "") return <p>The guest has written nothing to its serial console.</p>;
  return (
    // It scrolls: who has no mouse needs the focus for that.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <pre className="vm-guest-log" tabIndex={0} aria-label={`Log of ${name}`} ref={ref}>
      {text}
    </pre>
  );
}

/** The last lines that the guest wrote to its serial console; read again and again while that is wanted. */
export function LogDrawer({ instance, vnfc, onClose }: Props) {
  const [isFollowed, setFollowed] = useState(false);
  const { data, error, isFetching, refetch } = useQuery({
    ...q.consoleLog(instance.id, vnfc.id),
    refetchInterval: ({ state }) => isFollowed && (state.status === "error" ? PACE_AFTER_ERROR_MS : PACE_MS),
  });
  // What is read every few seconds shows no sign of it each time, and is not announced.
  const isAsked = isFetching && !isFollowed;
  return (
    <Drawer title={`Log of ${vnfc.name}`} shown={vnfc.id} onClose={onClose}>
      <div className="vm-buttons">
        <Button variant="secondary" isLoading={isAsked} isDisabled={isAsked} onClick={() => void refetch()}>
          {error && !data ? "Ask again" : "Refresh"}
        </Button>
        <Button
          variant="secondary"
          icon={<DownloadIcon />}
          isDisabled={!data}
          onClick={() => data && download(`${vnfc.name}.log`, data.text, "text/plain")}
        >
          Download
        </Button>
        <Switch
          id="follow-log"
          label={`Follow: read it every ${PACE_MS / 1000} seconds`}
          isChecked={isFollowed}
          onChange={(_event, on) => {
            setFollowed(on);
            if (on) void refetch();
          }}
        />
      </div>
      {error && <ProblemAlert error={error} />}
      {isFetching && !data && <Pending>Asking the cloud for the log…</Pending>}
      {data && (
        <>
          <p className="vm-quiet" {...(isFollowed ? {} : { role: "status" })}>
            The last {data.lines} lines at most, as of <Since at={data.readAt} />
          </p>
          <Written text={data.text} name={vnfc.name} isFollowed={isFollowed} />
        </>
      )}
    </Drawer>
  );
}
