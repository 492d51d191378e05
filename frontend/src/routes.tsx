import { createBrowserRouter, Outlet, type RouteObject } from "react-router";
import { RowLinks } from "./ui/RowLink";
import { ScreenBoundary } from "./ui/Screen";
import { Shell } from "./frame/Shell";
import * as OverviewPage from "./pages/OverviewPage";
import { RouteFailure } from "./frame/RouteFailure";
import { NotFoundPage } from "./pages/NotFoundPage";

function Boundary() {
  return (
    <ScreenBoundary>
      <RowLinks>
        <Outlet />
      </RowLinks>
    </ScreenBoundary>
  );
}

export const routes: RouteObject[] = [
  {
    element: <Shell />,
    errorElement: <RouteFailure />,
    HydrateFallback: () => null,
    children: [
      {
        element: <Boundary />,
        children: [
          { index: true, ...OverviewPage },
          { path: "catalog", lazy: () => import("./pages/CatalogPage") },
          { path: "catalog/:id", lazy: () => import("./pages/VnfPackagePage") },
          { path: "dimensioning", lazy: () => import("./pages/DimensioningPage") },
          { path: "instances", lazy: () => import("./pages/InstancesPage") },
          { path: "instances/new", lazy: () => import("./pages/InstantiatePage") },
          { path: "instances/:id", lazy: () => import("./pages/InstancePage") },
          { path: "instances/:id/forgotten", lazy: () => import("./pages/ForgottenPage") },
          { path: "instances/:id/operations/:opOccId", lazy: () => import("./pages/OperationPage") },
          { path: "elements", lazy: () => import("./pages/ElementsPage") },
          { path: "elements/traps", lazy: () => import("./pages/TrapsPage") },
          { path: "elements/:id", lazy: () => import("./pages/ElementPage") },
          { path: "performance", lazy: () => import("./pages/PerformancePage") },
          { path: "performance/boards", lazy: () => import("./pages/BoardsPage") },
          { path: "performance/boards/:id", lazy: () => import("./pages/BoardPage") },
          { path: "topology", lazy: () => import("./pages/TopologyPage") },
          { path: "alarms", lazy: () => import("./pages/AlarmsPage") },
          { path: "automation", lazy: () => import("./pages/AutomationPage") },
          { path: "administration", lazy: () => import("./pages/AdministrationPage") },
          { path: "account", lazy: () => import("./pages/AccountPage") },
          { path: "clouds", lazy: () => import("./pages/CloudsPage") },
          { path: "clouds/new", lazy: () => import("./pages/CloudFormPage") },
          { path: "clouds/:id", lazy: () => import("./pages/CloudPage") },
          { path: "clouds/:id/edit", lazy: () => import("./pages/CloudFormPage") },
          { path: "*", element: <NotFoundPage /> },
        ],
      },
    ],
  },
];

export const createRouter = () => createBrowserRouter(routes);
