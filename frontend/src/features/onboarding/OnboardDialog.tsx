import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button, Modal, ModalBody, ModalFooter, ModalHeader, Progress } from "@patternfly/react-core";
import { Link } from "react-router";
import { vnfPackageFetch, vnfPackageUpload } from "@/api/calls";
import { asProblem, splitFieldErrors } from "@/api/problem";
import type { Sending, Sent } from "@/api/http";
import { FindingReport, findingsOf, rootsOf } from "@/ui/FindingReport";
import { pb } from "@/paths";
import { bytes } from "@/ui/format";
import { packageName } from "@/ui/names";
import { LoadingNote } from "@/ui/LoadingNote";
import { ProblemAlert } from "@/ui/Problem";
import { ValidationResult } from "./ValidationResult";
import { contentOf, sizeOf } from "./files";
import { ExternalFilesField, fetchSuffices, missingUrls } from "./ExternalFilesField";
import { FetchField } from "./FetchField";
import { FilesField } from "./FilesField";
import { RootField } from "./RootField";
import type { Draft, DraftChanges } from "./useOnboardDraft";
import { useValidation, type Validation } from "./useValidation";
import { useOnboarding } from "./useOnboarding";

function Upload({ sent, size, then }: { sent: Sent | undefined; size: number; then: string }) {
  const { loaded, total } = sent ?? { loaded: 0, total: size };
  if (total > 0 && loaded >= total) return <LoadingNote>{then}</LoadingNote>;
  return (
    <Progress
      title={t`Sent ${bytes(loaded)} of ${bytes(total)}`}
      value={Math.floor((loaded / Math.max(total, 1)) * 100)}
    />
  );
}

type Onboarding = ReturnType<typeof useOnboarding>;

const refusalOf = ({ error }: Onboarding) => (error instanceof Error ? asProblem(error) : error);

/** This stays outside the scrolling part. */
function Activity({
  onboarding,
  examination,
  size,
}: {
  onboarding: Onboarding;
  examination: Validation;
  size: number;
}) {
  if (onboarding.processing)
    return (
      <LoadingNote>
        <Trans>Uploaded; unpacking and validating…</Trans>
      </LoadingNote>
    );
  if (onboarding.sending)
    return <Upload sent={onboarding.sent} size={size} then={t`Uploaded; verifying checksum and storing…`} />;
  if (examination.checking && !examination.report)
    return <Upload sent={examination.sent} size={size} then={t`Checking the files…`} />;
  return null;
}

function Outcome({ onboarding }: { onboarding: Onboarding }) {
  const { pkg } = onboarding;
  const refusal = refusalOf(onboarding);
  return (
    <>
      {onboarding.cancelled && (
        <p role="status">
          <Trans>The upload was cancelled. The files are kept.</Trans>
        </p>
      )}
      {refusal && (
        <>
          <ProblemAlert error={refusal} level="h2" />
          {findingsOf(refusal).length > 0 && <FindingReport findings={findingsOf(refusal)} />}
        </>
      )}
      {pkg && onboarding.onboarded && (
        <p role="status">
          <Trans>
            <strong>
              {packageName(pkg)} {pkg.vnfSoftwareVersion}
            </strong>{" "}
            is onboarded. <Link to={pb.vnfPackage(pkg.id)}>Show the package</Link>
          </Trans>
        </p>
      )}
    </>
  );
}

interface Props {
  draft: Draft;
  changes: DraftChanges;
  onClose: () => void;
}

/** Closing the dialog keeps the draft. */
export default function OnboardDialog({ draft, changes, onClose }: Props) {
  const examination = useValidation(draft);
  const onboarding = useOnboarding();
  const { sending, processing, onboarded } = onboarding;
  const busy = sending || processing;
  const refused = refusalOf(onboarding) ?? undefined;
  const findings = [...(examination.report?.validationReport ?? []), ...findingsOf(refused)];
  const missing = missingUrls(findings);
  const allAllowed = missing.length > 0 && missing.every(({ url = "" }) => draft.fetch.includes(url));
  const fetched = allAllowed && fetchSuffices(findings);
  const checked = examination.current && (examination.report?.valid === true || fetched);
  const allowed = examination.tooLarge || checked;
  /** A new choice removes the results of earlier files. */
  const change =
    <A extends unknown[]>(apply: (...given: A) => void) =>
    (...given: A) => {
      onboarding.reset();
      apply(...given);
    };
  const send = (id: string, sending: Sending) =>
    vnfPackageUpload(id, contentOf(draft.files, draft.vnfd), sending, draft);
  function close() {
    if (onboarded) changes.clear();
    onClose();
  }
  return (
    <Modal
      isOpen
      variant="large"
      aria-labelledby="onboard-title"
      aria-describedby="onboard-text"
      elementToFocus="#onboard-choose"
      {...(sending ? {} : { onClose: close })}
    >
      <ModalHeader
        title={t`Onboard a VNF package`}
        labelId="onboard-title"
        description={
          <span id="onboard-text">
            <Trans>
              A package or CSAR with a VNFD, or plain Heat templates, from which a VNFD is derived. Nothing is stored
              until you onboard it.
            </Trans>
          </span>
        }
      />
      <ModalBody>
        <div className="vm-stack">
          {!onboarded && (
            <>
              <FilesField
                files={draft.files}
                disabled={busy}
                onAdd={change(changes.add)}
                onRemove={change(changes.remove)}
                onClear={change(changes.clear)}
              />
              {draft.files.length === 0 && (
                <FetchField
                  disabled={busy}
                  errors={splitFieldErrors(refused?.errors, ([name]) => name).fields}
                  onChange={change(changes.clear)}
                  onFetch={(source) => onboarding.start((id) => vnfPackageFetch(id, source, draft))}
                />
              )}
              <RootField
                candidates={examination.report?.rootCandidates ?? rootsOf(refused)}
                root={draft.root ?? ""}
                disabled={busy}
                onChoose={draft.files.length > 0 ? change(changes.choose) : changes.choose}
              />
              <ExternalFilesField missing={missing} allowed={draft.fetch} disabled={busy} onAllow={changes.allow} />
              <ValidationResult
                examination={examination}
                vnfd={draft.vnfd}
                disabled={busy}
                onEdit={change(changes.edit)}
              />
            </>
          )}
          <Outcome onboarding={onboarding} />
        </div>
      </ModalBody>
      <div className="vm-modal-activity">
        <Activity onboarding={onboarding} examination={examination} size={sizeOf(draft.files)} />
      </div>
      <ModalFooter>
        <Button
          isDisabled={!onboarded && (!examination.whole || !allowed || busy)}
          isLoading={busy}
          onClick={() => (onboarded ? close() : onboarding.start(send))}
        >
          {onboarded ? t`Close` : t`Onboard`}
        </Button>
        {!onboarded && (
          <Button variant="link" onClick={sending ? onboarding.cancel : close}>
            {sending ? t`Cancel the upload` : processing ? t`Close` : t`Cancel`}
          </Button>
        )}
      </ModalFooter>
    </Modal>
  );
}
