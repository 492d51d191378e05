import { Button, FileUpload, Modal, ModalBody, ModalFooter, ModalHeader, Progress } from "@patternfly/react-core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import { vnfPackageCreate, vnfPackageDelete, vnfPackageUpload } from "@/api/calls";
import { keys, q } from "@/api/queries";
import { pb } from "@/paths";
import { bytes } from "@/ui/format";
import { Pending } from "@/ui/Pending";
import { ProblemAlert } from "@/ui/Problem";

const FOLLOW_MS = 1000;

/** Creates the package resource and sends its content; a refused upload takes its resource with it. */
async function onboard(file: File, onProgress: (share: number) => void): Promise<string> {
  const { id } = await vnfPackageCreate();
  try {
    await vnfPackageUpload(id, file, onProgress);
  } catch (error) {
    await vnfPackageDelete(id).catch(() => undefined); // the refusal is what the user must hear of
    throw error;
  }
  return id;
}

export function OnboardDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const [file, setFile] = useState<File>();
  const [share, setShare] = useState(0);
  const send = useMutation({
    mutationFn: (chosen: File) => onboard(chosen, setShare),
    onSettled: () => client.invalidateQueries({ queryKey: keys.vnfPackages }),
  });
  const id = send.data ?? "";
  const followed = useQuery({
    ...q.vnfPackage(id),
    enabled: send.isSuccess,
    refetchInterval: (query) =>
      ["ONBOARDED", "ERROR"].includes(query.state.data?.onboardingState ?? "") ? false : FOLLOW_MS,
  });
  const pkg = followed.data;
  const done = pkg?.onboardingState === "ONBOARDED";
  const refused = pkg?.onboardingState === "ERROR" ? pkg.onboardingFailureDetails : undefined;
  const processing = send.isSuccess && !done && pkg?.onboardingState !== "ERROR";

  // A package that could not be onboarded is no use to anybody: it is shown here, then taken away.
  const removed = useRef(false);
  useEffect(() => {
    if (pkg?.onboardingState !== "ERROR" || removed.current) return;
    removed.current = true;
    void vnfPackageDelete(pkg.id)
      .catch(() => undefined)
      .then(() => client.invalidateQueries({ queryKey: keys.vnfPackages }));
  }, [client, pkg]);

  function choose(chosen: File) {
    setFile(chosen);
    setShare(0);
    removed.current = false;
    send.reset();
  }
  return (
    <Modal isOpen variant="medium" onClose={onClose} aria-labelledby="onboard-title" aria-describedby="onboard-text">
      <ModalHeader
        title="Onboard a VNF package"
        labelId="onboard-title"
        description={
          <span id="onboard-text">
            A zip with the VNFD, Heat templates, environment, day-0 files and a manifest of checksums.
          </span>
        }
      />
      <ModalBody>
        <FileUpload
          id="package-file"
          aria-label="VNF package"
          filename={file?.name ?? ""}
          filenamePlaceholder="Drop a zip here or browse"
          filenameAriaLabel="Chosen file"
          browseButtonText="Browse…"
          hideDefaultPreview
          isDisabled={send.isPending || processing}
          onFileInputChange={(_event, chosen) => choose(chosen)}
          onClearClick={() => {
            setFile(undefined);
            send.reset();
          }}
          browseButtonAriaDescribedby="onboard-text"
        />
        <div className="vm-stack">
          {send.isPending && file && (
            <Progress
              title={`Uploading ${file.name} (${bytes(file.size)})`}
              value={Math.round(share * 100)}
              aria-label="Upload progress"
            />
          )}
          {processing && <Pending>Checking the package and unpacking it…</Pending>}
          {send.isError && <ProblemAlert error={send.error} level="h2" />}
          {refused && <ProblemAlert error={refused} level="h2" />}
          {done && (
            <p role="status">
              <strong>
                {pkg.vnfProvider} {pkg.vnfProductName} {pkg.vnfSoftwareVersion}
              </strong>{" "}
              is onboarded. <Link to={pb.vnfPackage(pkg.id)}>Show the package</Link>
            </p>
          )}
        </div>
      </ModalBody>
      <ModalFooter>
        {!done && (
          <Button
            isDisabled={!file || send.isPending || processing}
            isLoading={send.isPending}
            onClick={() => file && send.mutate(file)}
          >
            Upload
          </Button>
        )}
        <Button variant={done ? "primary" : "link"} onClick={onClose}>
          {done ? "Close" : "Cancel"}
        </Button>
      </ModalFooter>
    </Modal>
  );
}
