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
import CloudIcon from "@patternfly/react-icons/dist/esm/icons/cloud-icon";
import ClusterIcon from "@patternfly/react-icons/dist/esm/icons/cluster-icon";
import CogIcon from "@patternfly/react-icons/dist/esm/icons/cog-icon";
import NetworkIcon from "@patternfly/react-icons/dist/esm/icons/network-icon";
import TopologyIcon from "@patternfly/react-icons/dist/esm/icons/topology-icon";
import { NavLink, Outlet, useLocation } from "react-router";
import { LiveProvider } from "@/api/LiveProvider";
import { OperationNotifier } from "./OperationNotifier";
import { pb } from "@/paths";
import { AlarmCounters } from "./AlarmCounters";
import { Brand } from "./Brand";
import { ConnectionBanner } from "./ConnectionBanner";
import { ThemeSwitch } from "./ThemeSwitch";
import { ToastProvider } from "./toasts";
import { UserMenu } from "./UserMenu";

const SECTIONS = [
  { to: pb.catalog(), text: "Catalog", icon: <CatalogIcon /> },
  { to: pb.dimensioning(), text: "Dimensioning", icon: <CalculatorIcon /> },
  { to: pb.instances(), text: "VNF instances", icon: <ClusterIcon /> },
  { to: pb.elements(), text: "Elements", icon: <NetworkIcon /> },
  { to: pb.topology(), text: "Topology", icon: <TopologyIcon /> },
  { to: pb.alarms(), text: "Alarms", icon: <BellIcon /> },
  { to: pb.automation(), text: "Automation", icon: <AutomationIcon /> },
  { to: pb.vims(), text: "Clouds", icon: <CloudIcon /> },
  { to: "/administration", text: "Administration", icon: <CogIcon /> },
];
const MAIN = "main-content";

function Header() {
  return (
    <Masthead>
      <MastheadMain>
        <MastheadToggle>
          <PageToggleButton isHamburgerButton aria-label="Navigation menu" />
        </MastheadToggle>
        <MastheadBrand>
          <Brand />
        </MastheadBrand>
      </MastheadMain>
      <MastheadContent>
        <Toolbar isStatic>
          <ToolbarContent>
            <ToolbarGroup align={{ default: "alignEnd" }} gap={{ default: "gapMd" }}>
              <ToolbarItem>
                <AlarmCounters />
              </ToolbarItem>
              <ToolbarItem>
                <ThemeSwitch />
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

function Sidebar() {
  const { pathname } = useLocation();
  return (
    <PageSidebar>
      <PageSidebarBody>
        <Nav aria-label="Main">
          <NavList>
            {SECTIONS.map(({ to, text, icon }) => (
              <NavItem key={to} isActive={pathname.startsWith(to)} itemId={to}>
                <NavLink to={to}>
                  <span className="vm-nav-icon">{icon}</span>
                  {text}
                </NavLink>
              </NavItem>
            ))}
          </NavList>
        </Nav>
      </PageSidebarBody>
    </PageSidebar>
  );
}

function skip(event: React.MouseEvent) {
  event.preventDefault();
  document.getElementById(MAIN)?.focus();
}

export function Shell() {
  return (
    <LiveProvider>
      <ToastProvider>
        <OperationNotifier />
        <Page
          masthead={<Header />}
          sidebar={<Sidebar />}
          isManagedSidebar
          isContentFilled
          skipToContent={
            <SkipToContent href={`#${MAIN}`} onClick={skip}>
              Skip to content
            </SkipToContent>
          }
          mainContainerId={MAIN}
          mainAriaLabel="Content"
          mainTabIndex={-1}
          banner={<ConnectionBanner />}
        >
          <Outlet />
        </Page>
      </ToastProvider>
    </LiveProvider>
  );
}
