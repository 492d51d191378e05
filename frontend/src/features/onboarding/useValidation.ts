import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { packageDerive, packageValidate } from "@/api/calls";
import type { Sent } from "@/api/http";
import type { DerivedPackage } from "@/api/types";
import { useDebounced } from "@/ui/useDebounced";
import { contentOf, kindOf, sizeOf } from "./files";
import type { Draft } from "./useOnboardDraft";

/** Bytes. What is larger is sent once only, and checked then. */
const CHECKED_AT_ONCE = 64 * 1024 * 1024;
/** An upload belongs to this dialog: nothing of it is kept, or asked for again by itself. */
const ONCE = { staleTime: Infinity, gcTime: 0, meta: { once: true } };
/** What an upload with a descriptor of its own has among its files. */
const DESCRIPTORS = new Set(["vnfd.yaml", "TOSCA-Metadata/TOSCA.meta"]);

const isPlain = ({ vnfd, files }: DerivedPackage): boolean =>
  vnfd !== "" && !files.some(({ path }) => DESCRIPTORS.has(path));

/** What the server says of the files as they are, and of plain Heat templates which VNFD they would get. */
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
    /** What of it is different on a cloud. */
    onCloud: {
      packageKey: `${generation} ${settled ?? ""} ${root}`,
      validate: (vimId: string) => packageValidate(contentOf(files, settled), {}, { vimId, root }),
    },
    checkAgain: () => void report.refetch(),
    /** Whether the report is of what stands there now. */
    current: !report.isFetching && settled === vnfd,
    sent,
    checking: enabled && report.isFetching,
  };
}

export type Validation = ReturnType<typeof useValidation>;
