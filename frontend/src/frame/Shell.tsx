import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import {
  Masthead,
  MastheadBrand,
  MastheadContent,
  MastheadMain,
  MastheadToggle,
  Nav,
  NavItem,
  NavList,
  Page,
  PageSidebar,
  PageSidebarBody,
  PageToggleButton,
  SkipToContent,
  Toolbar,
  ToolbarContent,
  ToolbarGroup,
  ToolbarItem,
} from "@patternfly/react-core";
import AutomationIcon from "@patternfly/react-icons/dist/esm/icons/automation-icon";
import BellIcon from "@patternfly/react-icons/dist/esm/icons/bell-icon";
import CalculatorIcon from "@patternfly/react-icons/dist/esm/icons/calculator-icon";
import CatalogIcon from "@patternfly/react-icons/dist/esm/icons/catalog-icon";
import ChartLineIcon from "@patternfly/react-icons/dist/esm/icons/chart-line-icon";
import CloudIcon from "@patternfly/react-icons/dist/esm/icons/cloud-icon";
import ClusterIcon from "@patternfly/react-icons/dist/esm/icons/cluster-icon";
import CogIcon from "@patternfly/react-icons/dist/esm/icons/cog-icon";
import NetworkIcon from "@patternfly/react-icons/dist/esm/icons/network-icon";
import TachometerIcon from "@patternfly/react-icons/dist/esm/icons/tachometer-alt-icon";
import TopologyIcon from "@patternfly/react-icons/dist/esm/icons/topology-icon";
import { memo } from "react";
import { Link, Outlet, useLocation } from "react-router";
import { LiveProvider } from "@/api/LiveProvider";
import { SearchButton } from "./SearchButton";
import { OperationsButton } from "./OperationsButton";
import { OperationsDrawerState } from "@/features/operations/OperationsDrawerState";
import { OperationNotifier } from "./OperationNotifier";
import { useIsOffline } from "@/api/connection";
import { pb } from "@/paths";
import { AlarmCounters } from "./AlarmCounters";
import { Brand } from "@/ui/Brand";
import { ConnectionBanner } from "./ConnectionBanner";
import { ReadinessBanner } from "./ReadinessBanner";
import { RestorationBanner } from "./RestorationBanner";
import { ToastProvider } from "@/ui/toasts";
import { UserMenu } from "./UserMenu";

const SECTIONS = [
  { to: pb.overview(), text: t`Overview`, icon: <TachometerIcon /> },
  { to: pb.catalog(), text: t`Catalog`, icon: <CatalogIcon /> },
  { to: pb.instances(), text: t`VNF instances`, icon: <ClusterIcon /> },
  { to: pb.elements(), text: t`Elements`, icon: <NetworkIcon /> },
  { to: pb.performance(), text: t`Performance`, icon: <ChartLineIcon /> },
  { to: pb.topology(), text: t`Topology`, icon: <TopologyIcon /> },
  { to: pb.alarms(), text: t`Alarms`, icon: <BellIcon /> },
  { to: pb.vims(), text: t`Clouds`, icon: <CloudIcon /> },
  { to: pb.dimensioning(), text: t`Dimensioning`, icon: <CalculatorIcon /> },
  { to: pb.automation(), text: t`Automation`, icon: <AutomationIcon /> },
  { to: "/administration", text: t`Administration`, icon: <CogIcon /> },
];
const MAIN = "main-content";

function Header() {
  return (
    <Masthead display={{ default: "inline" }}>
      <MastheadMain>
        <MastheadToggle>
          <PageToggleButton isHamburgerButton aria-label={t`Navigation menu`} />
        </MastheadToggle>
        <MastheadBrand>
          <Brand />
        </MastheadBrand>
      </MastheadMain>
      <MastheadContent>
        <Toolbar isStatic>
          <ToolbarContent>
            <ToolbarGroup align={{ default: "alignEnd" }} gap={{ default: "gapSm" }}>
              <ToolbarItem className="vm-masthead-tools">
                <SearchButton />
              </ToolbarItem>
              <ToolbarItem>
                <AlarmCounters />
              </ToolbarItem>
              <ToolbarItem>
                <OperationsButton />
              </ToolbarItem>
              <ToolbarItem>
                <UserMenu />
              </ToolbarItem>
            </ToolbarGroup>
          </ToolbarContent>
        </Toolbar>
      </MastheadContent>
    </Masthead>
  );
}

/** PatternFly's list measures itself at each render, so this renders only when the section changes. */
const Sidebar = memo(function Sidebar({ shown }: { shown: string | undefined }) {
  return (
    <PageSidebar>
      <PageSidebarBody>
        <Nav aria-label={t`Main`}>
          <NavList>
            {SECTIONS.map(({ to, text, icon }) => (
              <NavItem key={to} isActive={to === shown} itemId={to}>
                <Link to={to}>
                  <span className="vm-nav-icon">{icon}</span>
                  {text}
                </Link>
              </NavItem>
            ))}
          </NavList>
        </Nav>
      </PageSidebarBody>
    </PageSidebar>
  );
});

function Navigation() {
  const { pathname } = useLocation();
  const shown = SECTIONS.find(({ to }) => (to === "/" ? pathname === to : pathname.startsWith(to)));
  return <Sidebar shown={shown?.to} />;
}

function skipToMain(event: React.MouseEvent) {
  event.preventDefault();
  document.getElementById(MAIN)?.focus();
}

export function Shell() {
  const offline = useIsOffline();
  return (
    <LiveProvider>
      <ToastProvider>
        <OperationNotifier />
        <OperationsDrawerState>
          <Page
            className={offline ? "vm-offline" : ""}
            masthead={<Header />}
            sidebar={<Navigation />}
            isManagedSidebar
            isContentFilled
            skipToContent={
              <SkipToContent href={`#${MAIN}`} onClick={skipToMain}>
                <Trans>Skip to content</Trans>
              </SkipToContent>
            }
            mainContainerId={MAIN}
            mainAriaLabel={t`Content`}
            mainTabIndex={-1}
            banner={
              <>
                <ConnectionBanner />
                <ReadinessBanner />
                <RestorationBanner />
              </>
            }
          >
            <Outlet />
          </Page>
        </OperationsDrawerState>
      </ToastProvider>
    </LiveProvider>
  );
}
