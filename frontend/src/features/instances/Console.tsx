import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button, Switch } from "@patternfly/react-core";
import DownloadIcon from "@patternfly/react-icons/dist/esm/icons/download-icon";
import ExternalLinkIcon from "@patternfly/react-icons/dist/esm/icons/external-link-alt-icon";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { vnfcConsole } from "@/api/callsInstance";
import { q } from "@/api/queries";
import type { Vnfc, VnfInstance } from "@/api/types";
import { download } from "@/ui/download";
import { Drawer } from "@/ui/Drawer";
import { LoadingNote } from "@/ui/LoadingNote";
import { ProblemAlert } from "@/ui/Problem";
import { Since } from "@/ui/Time";

interface Props {
  instance: VnfInstance;
  vnfc: Vnfc;
  onClose: () => void;
}

/** The URL contains a token, so it is requested each time and never stored. */
export function ConsoleDrawer({ instance, vnfc, onClose }: Props) {
  const { mutate, data, error, isPending, submittedAt } = useMutation({
    mutationFn: () => vnfcConsole(instance.id, vnfc.id),
    gcTime: 0,
  });
  useEffect(() => mutate(), [mutate]);
  return (
    <Drawer title={t`Console of ${vnfc.name}`} shown={vnfc.id} onClose={onClose}>
      {isPending && (
        <LoadingNote>
          <Trans>Requesting the console…</Trans>
        </LoadingNote>
      )}
      {error && <ProblemAlert error={error} />}
      {data && (
        <>
          <p>
            <Trans>The console is open. Its URL gives access without login: do not share it.</Trans>
          </p>
          <p className="vm-quiet">
            <Trans>
              Requested at <Since at={new Date(submittedAt).toISOString()} />. The URL expires, usually after ten
              minutes; request a new one then.
            </Trans>
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
              <Trans>Open in a new tab</Trans>
            </Button>
          </div>
        </>
      )}
      <div>
        <Button variant="secondary" isLoading={isPending} isDisabled={isPending} onClick={() => mutate()}>
          {error ? t`Try again` : t`Request a new URL`}
        </Button>
      </div>
    </Drawer>
  );
}

/** The interval while the log is followed, also after an error. */
const PACE_MS = 5000;
const PACE_AFTER_ERROR_MS = 30_000;

/** Pixels are rounded, and users miss the end by a line, so this distance still counts as the end. */
const AT_END_PX = 16;

/** A followed log scrolls to its end unless the user has scrolled back. */
function Written({ text, name, isFollowed }: { text: string; name: string; isFollowed: boolean }) {
  const ref = useRef<HTMLPreElement>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    if (isFollowed) isAtEnd.current = true;
  }, [isFollowed]);
  useEffect(() => {
    if (isFollowed && isAtEnd.current && ref.current) ref.current.scrollTop = ref.current.scrollHeight;
  }, [isFollowed, text]);
  if (text === "")
    return (
      <p>
        <Trans>The serial console log is empty.</Trans>
      </p>
    );
  return (
    <pre
      className="vm-guest-log"
      // A scrolling element needs the focus for users without a mouse.
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      aria-label={t`Log of ${name}`}
      ref={ref}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < AT_END_PX;
      }}
    >
      {text}
    </pre>
  );
}

/** Reads the guest's serial console repeatedly while the user follows it. */
export function LogDrawer({ instance, vnfc, onClose }: Props) {
  const [isFollowed, setFollowed] = useState(false);
  const { data, error, isFetching, refetch } = useQuery({
    ...q.consoleLog(instance.id, vnfc.id),
    refetchInterval: ({ state }) => isFollowed && (state.status === "error" ? PACE_AFTER_ERROR_MS : PACE_MS),
  });
  // Reading every few seconds is neither shown nor announced each time.
  const isAsked = isFetching && !isFollowed;
  return (
    <Drawer title={t`Log of ${vnfc.name}`} shown={vnfc.id} onClose={onClose}>
      <div className="vm-buttons">
        <Button variant="secondary" isLoading={isAsked} isDisabled={isAsked} onClick={() => void refetch()}>
          {error && !data ? t`Try again` : t`Refresh`}
        </Button>
        <Button
          variant="secondary"
          icon={<DownloadIcon />}
          isDisabled={!data}
          onClick={() => data && download(`${vnfc.name}.log`, data.text, "text/plain")}
        >
          <Trans>Download</Trans>
        </Button>
        <Switch
          id="follow-log"
          label={t`Follow: refresh every ${PACE_MS / 1000} seconds`}
          isChecked={isFollowed}
          onChange={(_event, on) => {
            setFollowed(on);
            if (on) void refetch();
          }}
        />
      </div>
      {error && <ProblemAlert error={error} />}
      {isFetching && !data && (
        <LoadingNote>
          <Trans>Requesting the log…</Trans>
        </LoadingNote>
      )}
      {data && (
        <>
          <p className="vm-quiet" {...(isFollowed ? {} : { role: "status" })}>
            <Trans>
              Last {data.lines} lines at most, as of <Since at={data.readAt} />
            </Trans>
          </p>
          <Written text={data.text} name={vnfc.name} isFollowed={isFollowed} />
        </>
      )}
    </Drawer>
  );
}
