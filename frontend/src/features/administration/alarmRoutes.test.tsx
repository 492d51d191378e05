import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";

const user = userEvent.setup();

it("shows where alarms go and why they do not arrive, and sends a test message", async () => {
  const { sent } = renderApp(pb.administration("alarm-routes"));
  const noc = await screen.findByRole("row", { name: /NOC.*Mail.*noc@example\.com.*Major.*Delivering/ });
  const siem = screen.getByRole("row", { name: /SIEM.*Syslog.*siem\.example\.com.*Not delivering.*refused.*12/i });
  await user.click(within(noc).getByRole("button", { name: "Test NOC" }));
  expect(await screen.findByText(/Test message sent by NOC/)).toBeVisible();
  await user.click(within(siem).getByRole("button", { name: "Test SIEM" }));
  expect(await screen.findByText(/siem\.example\.com:6514 cannot be read from\..*Check the server/)).toBeVisible();
  expect(sent.filter(({ path }) => path.endsWith("/test"))).toHaveLength(2);
  await user.click(within(noc).getByRole("button", { name: "Last deliveries of NOC" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Last deliveries of NOC" }));
  expect(
    await dialog.findByRole("row", { name: /CRITICAL pe-1: LinkDown.*raised.*waiting.*not answered/ }),
  ).toBeVisible();
});

it("adds a route by mail, whose password is sent and never shown", async () => {
  const { sent } = renderApp(pb.administration("alarm-routes"), { prepare: (db) => (db.alarmRoutes = []) });
  await user.click(await screen.findByRole("button", { name: "Add an alarm route" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.type(dialog.getByLabelText(/^Name/), "Night");
  await user.type(dialog.getByLabelText(/^Server/), "mail.example.com");
  await user.type(dialog.getByLabelText(/^User/), "vnfm");
  await user.type(dialog.getByLabelText(/^Password/), "canary");
  await user.type(dialog.getByLabelText(/^Sender/), "vnfm@example.com");
  await user.type(dialog.getByLabelText(/^Recipients/), "noc@example.com");
  await user.click(dialog.getByLabelText("Only at certain times"));
  await user.clear(dialog.getByLabelText(/^From/));
  await user.type(dialog.getByLabelText(/^From/), "22:00");
  await user.click(dialog.getByRole("button", { name: "Add" }));
  expect(await screen.findByRole("row", { name: /Night.*Mail/ })).toBeVisible();
  expect(screen.queryByText(/canary/)).toBeNull();
  const body = sent.find(({ method }) => method === "POST")?.body;
  expect(body).toMatchObject({
    ...{ name: "Night", channel: "MAIL", enabled: true, groupSeconds: 10, intervalSeconds: 60 },
    mail: { host: "mail.example.com", port: 587, password: "canary", recipients: ["noc@example.com"] },
    criteria: { minSeverity: "MAJOR", cleared: true, siteIds: [], window: { begin: "22:00", end: "18:00" } },
  });
  expect(Object.keys(body as object)).not.toContain("snmp");
});

it("keeps what a program has chosen and the form cannot show", async () => {
  const { sent } = renderApp(pb.administration("alarm-routes"), {
    prepare: (db) => {
      const [route] = db.alarmRoutes;
      if (route) route.criteria = { ...route.criteria, siteIds: ["a", "b"], faultTypes: ["LinkDown"] };
    },
  });
  await user.click(await screen.findByRole("button", { name: "Edit NOC" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.queryByLabelText(/^Site/)).toBeNull();
  await user.click(dialog.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(sent.some(({ method }) => method === "PATCH")).toBe(true));
  const body = sent.find(({ method }) => method === "PATCH")?.body;
  expect(body).toMatchObject({ criteria: { siteIds: ["a", "b"], faultTypes: ["LinkDown"], window: null } });
});

it("tells viewers why they see none", async () => {
  renderApp(pb.administration("alarm-routes"), {
    prepare: (db) => {
      if (db.session) db.session = { ...db.session, roles: ["viewer"] };
    },
  });
  expect(await screen.findByRole("heading", { name: "Operators only: alarm routes" })).toBeVisible();
});
