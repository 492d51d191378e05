import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { vnfPackageCreate, vnfPackageDelete } from "@/api/calls";
import type { Sending, Sent } from "@/api/http";
import { keys } from "@/api/keys";
import { q } from "@/api/queries";

const FOLLOW_MS = 1000;

/** Uploads the content, or asks the server to fetch it. */
type Way = (packageId: string, sending: Sending) => Promise<unknown>;

/** If the upload fails or is cancelled, the package resource is deleted as well. */
async function onboard(way: Way, sending: Sending): Promise<string> {
  const { id } = await vnfPackageCreate();
  try {
    await way(id, sending);
  } catch (error) {
    await vnfPackageDelete(id).catch(() => undefined); // The user must see the refusal and not a failed deletion.
    throw error;
  }
  return id;
}

const isCancelled = (error: unknown): boolean => error instanceof DOMException && error.name === "AbortError";

/** A package goes through SOL005's states PROCESSING and ONBOARDED or ERROR. */
export function useOnboarding() {
  const client = useQueryClient();
  const [sent, setSent] = useState<Sent>();
  const abort = useRef<AbortController>(undefined);
  const refresh = () => client.invalidateQueries({ queryKey: keys.vnfPackages });
  const send = useMutation({
    mutationFn: (way: Way) => {
      setSent(undefined);
      abort.current = new AbortController();
      return onboard(way, { onProgress: setSent, signal: abort.current.signal });
    },
    onSettled: refresh,
  });
  const id = send.data ?? "";
  const followed = useQuery({
    ...q.vnfPackage(id),
    enabled: send.isSuccess,
    refetchInterval: (query) =>
      ["ONBOARDED", "ERROR"].includes(query.state.data?.onboardingState ?? "") ? false : FOLLOW_MS,
  });
  const pkg = send.isSuccess ? followed.data : undefined;

  // A package in state ERROR cannot be used, so it is deleted once its errors are shown here.
  const removed = useRef("");
  useEffect(() => {
    if (pkg?.onboardingState !== "ERROR" || removed.current === pkg.id) return;
    removed.current = pkg.id;
    void vnfPackageDelete(pkg.id)
      .catch(() => undefined)
      .then(() => client.invalidateQueries({ queryKey: keys.vnfPackages }));
  }, [client, pkg]);

  const onboarded = pkg?.onboardingState === "ONBOARDED";
  const failure = pkg?.onboardingState === "ERROR" ? pkg.onboardingFailureDetails : undefined;
  // The new VNFD makes lists of what can be instantiated stale.
  useEffect(() => {
    if (onboarded) void client.invalidateQueries({ queryKey: keys.vnfds });
  }, [client, onboarded]);
  return {
    ...{ pkg, onboarded, sent },
    sending: send.isPending,
    processing: send.isSuccess && !onboarded && pkg?.onboardingState !== "ERROR",
    cancelled: send.isError && isCancelled(send.error),
    /** Either the upload was refused, or the processing failed. */
    error: send.isError && !isCancelled(send.error) ? send.error : failure,
    start: send.mutate,
    cancel: () => abort.current?.abort(),
    reset: send.reset,
  };
}
