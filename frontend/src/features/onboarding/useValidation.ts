import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { packageDerive, packageValidate } from "@/api/calls";
import type { Sent } from "@/api/http";
import type { DerivedPackage } from "@/api/types";
import { useDebounced } from "@/ui/useDebounced";
import { contentOf, kindOf, sizeOf } from "./files";
import type { Draft } from "./useOnboardDraft";

/** Bytes. A larger upload is checked only when it is onboarded, so that it is sent once. */
const CHECKED_AT_ONCE = 64 * 1024 * 1024;
/** The result belongs to this dialog and is neither cached nor read again. */
const ONCE = { staleTime: Infinity, gcTime: 0, meta: { once: true } };
/** An upload with one of these files has a descriptor of its own. */
const DESCRIPTORS = new Set(["vnfd.yaml", "TOSCA-Metadata/TOSCA.meta"]);

const isPlain = ({ vnfd, files }: DerivedPackage): boolean =>
  vnfd !== "" && !files.some(({ path }) => DESCRIPTORS.has(path));

/** For plain Heat templates the result contains the VNFD that they would get. */
export function useValidation({ files, generation, vnfd, root = "" }: Draft) {
  const kind = kindOf(files);
  const whole = kind === "archive" || kind === "files";
  const tooLarge = sizeOf(files) > CHECKED_AT_ONCE;
  const enabled = whole && !tooLarge;
  const derivation = useQuery({
    queryKey: ["upload_derived", generation, root],
    queryFn: ({ signal }) => packageDerive(contentOf(files), { signal }, root),
    enabled,
    ...ONCE,
  });
  const [sent, setSent] = useState<Sent>();
  const settled = useDebounced(vnfd);
  const report = useQuery({
    queryKey: ["upload_report", generation, settled ?? null, root],
    queryFn: ({ signal }) => packageValidate(contentOf(files, settled), { onProgress: setSent, signal }, { root }),
    enabled,
    placeholderData: vnfd === undefined ? undefined : keepPreviousData,
    ...ONCE,
  });
  return {
    ...{ kind, whole, tooLarge },
    derived: derivation.data && isPlain(derivation.data) ? derivation.data : undefined,
    report: report.data,
    error: report.error,
    /** The cloud's Heat adds findings of its own. */
    onCloud: {
      packageKey: `${generation} ${settled ?? ""} ${root}`,
      validate: (vimId: string) => packageValidate(contentOf(files, settled), {}, { vimId, root }),
    },
    checkAgain: () => void report.refetch(),
    /** The report belongs to the present text. */
    current: !report.isFetching && settled === vnfd,
    sent,
    checking: enabled && report.isFetching,
  };
}

export type Validation = ReturnType<typeof useValidation>;
