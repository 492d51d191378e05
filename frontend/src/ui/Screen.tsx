import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Breadcrumb, BreadcrumbItem, Button, PageBreadcrumb, PageSection, Title } from "@patternfly/react-core";
import { QueryErrorResetBoundary } from "@tanstack/react-query";
import { Component, Suspense, useEffect, useLayoutEffect, useRef, type ReactNode } from "react";
import { Link, useLocation, useNavigationType, NavigationType } from "react-router";
import { isCodeLost } from "@/api/problem";
import { Loading } from "./Loading";
import { ProblemScreen } from "./Problem";
import { TruncatedNotice } from "./TruncatedNotice";
import { StaleNotice } from "./StaleNotice";

const PRODUCT = t`VNF Manager`;
let navigated = false;

/** After navigation the heading takes the focus, so that keyboard and screen reader start there. */
function useTitleFocus(title: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  const type = useNavigationType();
  const { pathname } = useLocation();
  const shown = useRef("");
  useEffect(() => {
    document.title = `${title} · ${PRODUCT}`;
  }, [title]);
  useEffect(() => {
    if (shown.current === pathname) return; // The same page shows another tab or filter.
    shown.current = pathname;
    if (navigated || type !== NavigationType.Pop) heading.current?.focus();
    navigated = true;
  }, [pathname, type]);
  return heading;
}

interface Crumb {
  text: string;
  to: string;
}
interface ScreenProps {
  title: string;
  crumbs?: Crumb[];
  /** State labels next to the title. */
  labels?: ReactNode;
  /** One line below the title that explains the page. */
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

export function Screen({ title, crumbs = [], labels, lead, actions, children }: ScreenProps) {
  const heading = useTitleFocus(title);
  return (
    <>
      {crumbs.length > 0 && (
        <PageBreadcrumb>
          <Breadcrumb>
            {crumbs.map((crumb) => (
              <BreadcrumbItem key={crumb.to}>
                <Link to={crumb.to} className="pf-v6-c-breadcrumb__link">
                  {crumb.text}
                </Link>
              </BreadcrumbItem>
            ))}
            <BreadcrumbItem isActive>{title}</BreadcrumbItem>
          </Breadcrumb>
        </PageBreadcrumb>
      )}
      <PageSection hasBodyWrapper={false} className="vm-head-section" aria-label={t`Page heading`}>
        <div className="vm-head">
          <div className="vm-head-text">
            <div className="vm-head-title">
              <Title headingLevel="h1" size="2xl" tabIndex={-1} ref={heading}>
                {title}
              </Title>
              {labels}
            </div>
            {lead && <div className="vm-lead">{lead}</div>}
          </div>
          {actions && <div className="vm-head-actions">{actions}</div>}
        </div>
      </PageSection>
      <PageSection hasBodyWrapper={false} isFilled className="vm-body" aria-label={t`Page content`}>
        <StaleNotice />
        <TruncatedNotice />
        {children}
      </PageSection>
    </>
  );
}

/** For errors that only reloading the page can solve. */
export function ReloadButton() {
  return (
    <Button onClick={() => globalThis.location.reload()}>
      <Trans>Reload the page</Trans>
    </Button>
  );
}

interface CatchProps {
  children: ReactNode;
  onReset: () => void;
}
class Catch extends Component<CatchProps, { error?: unknown }> {
  override state: { error?: unknown } = {};
  static getDerivedStateFromError(error: unknown) {
    return { error };
  }
  retry = () => {
    this.props.onReset();
    this.setState({ error: undefined });
  };
  override render() {
    if (this.state.error === undefined) return this.props.children;
    return (
      <PageSection isFilled aria-label={t`Problem`}>
        <ProblemScreen
          error={this.state.error}
          actions={
            <>
              {isCodeLost(this.state.error) ? (
                <ReloadButton />
              ) : (
                <Button onClick={this.retry}>
                  <Trans>Try again</Trans>
                </Button>
              )}
              <Link to="/" className="pf-v6-c-button pf-m-link">
                <Trans>Go to the overview</Trans>
              </Link>
            </>
          }
        />
      </PageSection>
    );
  }
}

/**
 * Removes the focus before the page goes. If a browser removes the focused element it first lays out the rest of the
 * page, which takes 40 ms for a list of fifty rows.
 */
function FocusRelease({ children }: { children: ReactNode }) {
  useLayoutEffect(
    () => () => {
      const { activeElement } = document;
      if (activeElement instanceof HTMLElement && activeElement.closest("main")) activeElement.blur();
    },
    [],
  );
  return children;
}

/** Shows the loading and the failure of a page; another path resets it. */
export function ScreenBoundary({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  return (
    <QueryErrorResetBoundary>
      {({ reset }) => (
        <Catch key={pathname} onReset={reset}>
          <FocusRelease>
            <Suspense fallback={<Loading />}>{children}</Suspense>
          </FocusRelease>
        </Catch>
      )}
    </QueryErrorResetBoundary>
  );
}
