import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import {
  Alert,
  EmptyState,
  EmptyStateActions,
  EmptyStateBody,
  EmptyStateFooter,
  type AlertProps,
} from "@patternfly/react-core";
import DisconnectedIcon from "@patternfly/react-icons/dist/esm/icons/disconnected-icon";
import ExclamationCircleIcon from "@patternfly/react-icons/dist/esm/icons/exclamation-circle-icon";
import SearchIcon from "@patternfly/react-icons/dist/esm/icons/search-icon";
import BanIcon from "@patternfly/react-icons/dist/esm/icons/ban-icon";
import type { ReactNode } from "react";
import { faultText, wordsOf } from "./names";
import { asProblem, inOurWords, NO_ANSWER, pointerParts } from "@/api/problem";
import type { ProblemDetails, ProblemFieldError } from "@/api/types";

const SOURCES: Record<string, string> = {
  nova: t`Nova`,
  heat: t`Heat`,
  neutron: t`Neutron`,
  glance: t`Glance`,
  keystone: t`Keystone`,
  nfvo: "NFVO",
  em: t`Element manager`,
  element: t`Element`,
  vnfm: t`VNF manager`,
  browser: t`Browser`,
};

/** The detail of an invalid request only repeats the fields by their names in code. */
const hasOwnDetail = ({ code, detail, title, errors = [] }: ProblemDetails): boolean =>
  Boolean(detail) && detail !== title && !(code === "INVALID_REQUEST" && errors.length > 0);

/** The API sends this next step where the errors of the fields already say what is wrong. */
const CORRECT_FIELDS = "Correct the named fields.";
const nextStepOf = ({ nextStep = "", errors = [] }: ProblemDetails): string =>
  nextStep === CORRECT_FIELDS && errors.length > 0 ? "" : inOurWords(nextStep);

/** "/managementAddress" becomes "Management address", "/scale/out/above" "Scale out above". */
const fieldText = (pointer: string): string =>
  faultText(
    pointerParts(pointer)
      .map((part) => wordsOf(part.replaceAll("_", " ")))
      .join(" "),
  );

/** The chain of causes ends with OpenStack's own message. */
export function ProblemBody({
  problem,
  errors = problem.errors,
}: {
  problem: ProblemDetails;
  errors?: ProblemFieldError[] | undefined;
}) {
  // The detail of a refused push already ends with the element's message.
  const causes = (problem.causes ?? []).filter(
    ({ source, message }) => source !== "element" || !problem.detail.endsWith(message),
  );
  return (
    <div className="vm-problem">
      {hasOwnDetail(problem) && <p>{inOurWords(problem.detail)}</p>}
      {errors && errors.length > 0 && (
        <ul className="vm-problem-errors" aria-label={t`Where`}>
          {errors.map((error) => (
            <li key={error.field + error.message}>
              <strong title={error.field}>{fieldText(error.field)}</strong> {inOurWords(error.message)}
            </li>
          ))}
        </ul>
      )}
      {causes.length > 0 && (
        <ol className="vm-causes" aria-label={t`Causes`}>
          {causes.map((cause, index) => (
            <li key={`${index}${cause.message}`}>
              <span className="vm-cause-source">{SOURCES[cause.source] ?? cause.source}</span>
              <span className="vm-cause-words">{cause.message}</span>
            </li>
          ))}
        </ol>
      )}
      {nextStepOf(problem) && (
        <p className="vm-next">
          <strong>
            <Trans>Next step:</Trans>
          </strong>{" "}
          {nextStepOf(problem)}
        </p>
      )}
      {problem.code && (
        <p className="vm-code">
          <Trans>
            Code <code>{problem.code}</code>
          </Trans>
          {problem.status > 0 && (
            <>
              {" "}
              <Trans>· HTTP {problem.status}</Trans>
            </>
          )}
        </p>
      )}
    </div>
  );
}

interface ProblemAlertProps {
  error: unknown;
  /** Errors of fields that the form does not show; without this all are listed. */
  rest?: ProblemFieldError[] | undefined;
  variant?: AlertProps["variant"];
  level?: "h2" | "h3";
  children?: ReactNode;
}

export function ProblemAlert({ error, rest, variant = "danger", level = "h3", children }: ProblemAlertProps) {
  const problem = isProblem(error) ? error : asProblem(error);
  return (
    <Alert isInline variant={variant} title={problem.title} component={level} role="alert" className="vm-alert">
      <ProblemBody problem={problem} errors={rest ?? problem.errors} />
      {children}
    </Alert>
  );
}

interface FormProblemProps {
  error: unknown;
  /** Errors of fields that the form does not show. */
  rest: ProblemFieldError[];
  /** The fields show their errors themselves. */
  isMarked: boolean;
}

/** The messages of marked fields are not repeated, unless another system such as OpenStack gave the reason. */
export function FormProblem({ error, rest, isMarked }: FormProblemProps) {
  const problem = asProblem(error);
  const { errors = [], causes = [] } = problem;
  const nextStep = nextStepOf(problem);
  const isAtFields = errors.length > 0 && rest.length === 0 && causes.length === 0;
  if (!isAtFields) return <ProblemAlert error={error} rest={rest} level="h2" />;
  if (!isMarked || !nextStep) return null;
  return (
    <Alert isInline variant="danger" title={t`Not saved`} component="h2" role="alert" className="vm-alert">
      <p className="vm-next">{nextStep}</p>
    </Alert>
  );
}

function isProblem(error: unknown): error is ProblemDetails {
  return typeof error === "object" && error !== null && !(error instanceof Error) && "title" in error;
}

function iconOf(status: number) {
  if (status === NO_ANSWER) return DisconnectedIcon;
  if (status === 404) return SearchIcon;
  if (status === 403) return BanIcon;
  return ExclamationCircleIcon;
}

export function ProblemScreen({ error, actions }: { error: unknown; actions?: ReactNode }) {
  const problem = isProblem(error) ? error : asProblem(error);
  const harmless = problem.status === 404 || problem.status === 403;
  return (
    <EmptyState
      titleText={problem.title}
      headingLevel="h1"
      icon={iconOf(problem.status)}
      status={harmless ? undefined : "danger"}
      role="alert"
    >
      <EmptyStateBody>
        <ProblemBody problem={problem} />
      </EmptyStateBody>
      {actions && (
        <EmptyStateFooter>
          <EmptyStateActions>{actions}</EmptyStateActions>
        </EmptyStateFooter>
      )}
    </EmptyState>
  );
}
