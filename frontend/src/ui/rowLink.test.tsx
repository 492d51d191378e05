import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { memo } from "react";
import { createMemoryRouter, Outlet, RouterProvider } from "react-router";
import { expect, test } from "vitest";
import { RowLink, RowLinks } from "./RowLink";

function setup() {
  let rendered = 0;
  const Row = memo(function Row() {
    rendered += 1;
    return <RowLink to="/elements?id=1">pe-1</RowLink>;
  });
  const routes = [
    {
      element: (
        <RowLinks>
          <Row />
          <Outlet />
        </RowLinks>
      ),
      children: [{ path: "*", element: <p>Page</p> }],
    },
  ];
  const router = createMemoryRouter(routes, { initialEntries: ["/alarms"] });
  render(<RouterProvider router={router} />);
  return { router, renders: () => rendered };
}
const address = ({ router }: ReturnType<typeof setup>) => router.state.location.pathname + router.state.location.search;

test("a click leads on without rendering the row again; a second one makes no step of its own", async () => {
  const app = setup();
  const user = userEvent.setup();
  const link = screen.getByRole("link", { name: "pe-1" });
  expect(link).toHaveAttribute("href", "/elements?id=1");
  const before = app.renders();
  await user.click(link);
  expect(address(app)).toBe("/elements?id=1");
  await user.click(link);
  expect(app.router.state.historyAction).toBe("REPLACE");
  expect(app.renders()).toBe(before);
});

test("with a modifier the browser opens it elsewhere", async () => {
  const app = setup();
  const user = userEvent.setup();
  const left: boolean[] = [];
  const listen = (event: MouseEvent) => {
    left.push(!event.defaultPrevented);
    event.preventDefault(); // jsdom cannot open another tab.
  };
  document.addEventListener("click", listen);
  await user.keyboard("{Control>}");
  await user.click(screen.getByRole("link", { name: "pe-1" }));
  await user.keyboard("{/Control}");
  document.removeEventListener("click", listen);
  expect(left).toEqual([true]);
  expect(address(app)).toBe("/alarms");
});
