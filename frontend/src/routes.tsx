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

type Load = () => Promise<Pick<RouteObject, "Component">>;

/**
 * While the browser is idle, a list loads the code of the page that its rows open; otherwise a click would wait for
 * forty files. A failure is ignored, because the click loads it again.
 */
const listOf =
  (list: Load, opened: Load): Load =>
  async () => {
    const loaded = await list();
    if ("requestIdleCallback" in globalThis) requestIdleCallback(() => void opened().catch(() => undefined));
    return loaded;
  };
const packagePage: Load = () => import("./pages/VnfPackagePage");
const instancePage: Load = () => import("./pages/InstancePage");
const elementPage: Load = () => import("./pages/ElementPage");
const boardPage: Load = () => import("./pages/BoardPage");
const cloudPage: Load = () => import("./pages/CloudPage");

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
          { path: "catalog", lazy: listOf(() => import("./pages/CatalogPage"), packagePage) },
          { path: "catalog/:id", lazy: packagePage },
          { path: "dimensioning", lazy: () => import("./pages/DimensioningPage") },
          { path: "instances", lazy: listOf(() => import("./pages/InstancesPage"), instancePage) },
          { path: "instances/new", lazy: () => import("./pages/InstantiatePage") },
          { path: "instances/:id", lazy: instancePage },
          { path: "instances/:id/forgotten", lazy: () => import("./pages/ForgottenPage") },
          { path: "instances/:id/operations/:opOccId", lazy: () => import("./pages/OperationPage") },
          { path: "elements", lazy: listOf(() => import("./pages/ElementsPage"), elementPage) },
          { path: "elements/traps", lazy: () => import("./pages/TrapsPage") },
          { path: "elements/:id", lazy: elementPage },
          { path: "performance", lazy: () => import("./pages/PerformancePage") },
          { path: "performance/boards", lazy: listOf(() => import("./pages/BoardsPage"), boardPage) },
          { path: "performance/boards/:id", lazy: boardPage },
          { path: "topology", lazy: () => import("./pages/TopologyPage") },
          { path: "alarms", lazy: () => import("./pages/AlarmsPage") },
          { path: "automation", lazy: () => import("./pages/AutomationPage") },
          { path: "administration", lazy: () => import("./pages/AdministrationPage") },
          { path: "account", lazy: () => import("./pages/AccountPage") },
          { path: "clouds", lazy: listOf(() => import("./pages/CloudsPage"), cloudPage) },
          { path: "clouds/new", lazy: () => import("./pages/CloudFormPage") },
          { path: "clouds/:id", lazy: cloudPage },
          { path: "clouds/:id/edit", lazy: () => import("./pages/CloudFormPage") },
          { path: "*", element: <NotFoundPage /> },
        ],
      },
    ],
  },
];

export const createRouter = () => createBrowserRouter(routes);
