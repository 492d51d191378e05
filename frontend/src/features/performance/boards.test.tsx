import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";
import type { Db } from "../../../mock-api/db";
import { movedBy } from "./boardSeries";

const user = userEvent.setup();

function openApp(path: string, prepare: (db: Db) => void = () => undefined, scenario = "") {
  const found: Db[] = [];
  const app = renderApp(path, {
    scenario,
    prepare: (db) => {
      prepare(db);
      found.push(db);
    },
  });
  const [db] = found;
  if (!db) throw new Error("the mock did not start");
  return { ...app, db };
}
const open = (path: string, prepare?: (db: Db) => void): Db => openApp(path, prepare).db;

const titles = () =>
  screen.getAllByRole("button", { name: /^Move .*: place/ }).map((each) => each.getAttribute("aria-label"));

it.each([
  [0, 1, "bac"],
  [0, Infinity, "bca"],
  [2, -1, "acb"],
  [2, -Infinity, "cab"],
  [0, -1, "abc"],
])("moves item %i by %i places", (from, by, expected) => {
  expect(movedBy(["a", "b", "c"], from, by).join("")).toBe(expected);
});

it("adds a counter row to a new board, and the board has its chart", async () => {
  const db = open(pb.performance(), (made) => (made.boards = []));
  const [pin] = await screen.findAllByRole("button", { name: /^Add .* to a board/ });
  if (pin) await user.click(pin);
  await user.click(await screen.findByRole("menuitem", { name: "New board" }));
  await user.click(await screen.findByRole("link", { name: "Open the board" }));
  expect(await screen.findByRole("heading", { name: "My board", level: 1 })).toBeVisible();
  expect(db.boards[0]?.charts[0]?.series.map(({ counter }) => counter)).toEqual(["utilisationIn", "utilisationOut"]);
  await waitFor(() => expect(document.querySelectorAll("figure.vm-chart")).toHaveLength(1));
});

it("does not add a chart twice to a board", async () => {
  open(pb.performance(), (made) => (made.boards = []));
  const [pin] = await screen.findAllByRole("button", { name: /^Add .* to a board/ });
  if (!pin) throw new Error("no pin");
  await user.click(pin);
  await user.click(await screen.findByRole("menuitem", { name: "New board" }));
  await screen.findByRole("link", { name: "Open the board" });
  await user.click(pin);
  expect(await screen.findByText("Already on this board", {}, { timeout: 5000 })).toBeVisible();
  expect(screen.getByRole("menuitem", { name: /^My board/ })).toBeDisabled();
});

it("moves a chart by the arrow keys and keeps the focus, and removes one", async () => {
  const db = open(pb.boards());
  await user.click(await screen.findByRole("link", { name: "Core uplinks" }));
  const load = await screen.findByRole("button", { name: "Move Load: place 2 of 4" });
  load.focus();
  await user.keyboard("{ArrowRight}{ArrowRight}");
  await waitFor(() => expect(screen.getByRole("button", { name: "Move Load: place 4 of 4" })).toHaveFocus());
  await waitFor(() => expect(db.boards[0]?.charts.map(({ title }) => title)).toEqual(["", "", "Errors", "Load"]));
  await user.keyboard("{Home}");
  await waitFor(() => expect(db.boards[0]?.charts[0]?.title).toBe("Load"));
  await user.click(screen.getByRole("button", { name: "Remove Load" }));
  await waitFor(() => expect(db.boards[0]?.charts).toHaveLength(3));
  expect(titles()).toHaveLength(3);
});

it("says that an element is gone, and renames a chart", async () => {
  const db = open(pb.boards());
  await user.click(await screen.findByRole("link", { name: "Core uplinks" }));
  expect(await screen.findByText(/agg-4 · 1\/1\/2 · traffic in: the element no longer exists/)).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Rename Errors" }));
  const field = within(await screen.findByRole("dialog")).getByLabelText("Chart title");
  await user.clear(field);
  await user.type(field, "Faults");
  await user.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(db.boards[0]?.charts[3]?.title).toBe("Faults"));
});

it("draws what watches a counter, as the element's page does", async () => {
  open(pb.boards(), ({ boards, elements, instances }) => {
    const load = boards.flatMap(({ charts }) => charts).find(({ title }) => title === "Load");
    const element = elements.find(({ id }) => id === load?.series[0]?.sourceId);
    if (element) element.vnfInstanceId = instances[0]?.id ?? null;
  });
  await user.click(await screen.findByRole("link", { name: "Core uplinks" }));
  const load = within(await screen.findByRole("region", { name: "Load" }));
  expect(await load.findByText(/· CPU, scale out by follow the load/)).toHaveTextContent(/70 %/);
  expect(load.getByText(/· CPU, threshold of VCpuUsageMeanVnf/)).toHaveTextContent(/90 % *± 5 %/);
  expect(load.queryByText(/memory, (scale|threshold)/)).toBeNull();
});

it("shows the board of another user read only", async () => {
  renderApp(pb.boards());
  await user.click(await screen.findByRole("link", { name: "Night shift" }));
  expect(await screen.findByText("Of olga, read only")).toBeVisible();
  expect(screen.queryByRole("button", { name: /^(Move|Remove|Rename)/ })).toBeNull();
});

it("shares a board by its link and changes the order of boards", async () => {
  const db = open(pb.boards());
  await user.click(await screen.findByRole("button", { name: "Create a board" }));
  await user.type(within(await screen.findByRole("dialog")).getByLabelText(/^Name/), "Access");
  await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: /^(Create|Add)/ }));
  await user.click(await screen.findByRole("button", { name: "Move Access up" }));
  await waitFor(() => expect(db.boards.find(({ name }) => name === "Access")?.position).toBe(0));
  await user.click(screen.getByRole("link", { name: "Access" }));
  expect(await screen.findByText("No charts yet")).toBeVisible();
  await user.click(screen.getByRole("switch", { name: "Shared, read only" }));
  expect(await screen.findByText(/performance\/boards\//)).toBeVisible();
});

it("moves a board twice at once, the second time on what the first has made", async () => {
  const { db, changesTo } = openApp(pb.boards(), ({ boards }) => {
    const [first] = boards.filter(({ ownerName }) => ownerName !== "olga");
    if (!first) throw new Error("the mock has no own board");
    for (const name of ["Second", "Third"])
      boards.push({ ...first, id: `${first.id}-${name}`, name, position: boards.length, charts: [] });
    for (const [place, board] of boards.filter(({ ownerName }) => ownerName === first.ownerName).entries())
      board.position = place;
  });
  const third = db.boards.find(({ name }) => name === "Third");
  const up = await screen.findByRole("button", { name: "Move Third up" });
  fireEvent.click(up);
  fireEvent.click(up);
  await waitFor(() => expect(third?.position).toBe(0));
  expect(changesTo(third?.id ?? "")).toHaveLength(2);
  expect(screen.queryByText("Board not moved")).toBeNull();
});

it("takes a board's name no longer than the server does", async () => {
  open(pb.boards());
  await user.click(await screen.findByRole("button", { name: "Create a board" }));
  expect(within(await screen.findByRole("dialog")).getByLabelText(/^Name/)).toHaveAttribute("maxlength", "100");
});

it("does not overwrite what another session has stored, drops the moves behind it and shows what there is", async () => {
  const { db, changesTo, setScenario } = openApp(pb.boards());
  await user.click(await screen.findByRole("link", { name: "Core uplinks" }));
  const load = await screen.findByRole("button", { name: "Move Load: place 2 of 4" });
  const [board] = db.boards;
  if (!board) throw new Error("the mock has no board");
  board.charts = board.charts.slice(0, 2);
  board.version += 1;
  setScenario(`held:${board.id}`);
  load.focus();
  await user.keyboard("{ArrowRight}{ArrowRight}");
  expect(await screen.findByRole("button", { name: "Move Load: place 4 of 4" })).toBeVisible();
  setScenario("");
  expect(await screen.findByText("Board not changed")).toBeVisible();
  expect(await screen.findByRole("button", { name: "Move Load: place 2 of 2" })).toBeVisible();
  expect(board.charts).toHaveLength(2);
  expect(changesTo(board.id)).toHaveLength(1);
});

it("shares and renames a board on the version that the change before has made", async () => {
  const { db, changesTo } = openApp(pb.boards());
  await user.click(await screen.findByRole("link", { name: "Core uplinks" }));
  (await screen.findByRole("button", { name: "Move Load: place 2 of 4" })).focus();
  await user.keyboard("{ArrowRight}");
  await user.click(screen.getByRole("switch", { name: "Shared, read only" }));
  await waitFor(() => expect(db.boards[0]?.shared).toBe(false));
  expect(db.boards[0]?.charts[2]?.title).toBe("Load");
  expect(changesTo(db.boards[0]?.id ?? "")).toHaveLength(2);
});

it("leaves the dialog open when a chart's new title is refused, which is no longer than the server takes", async () => {
  const { db } = openApp(pb.boards());
  await user.click(await screen.findByRole("link", { name: "Core uplinks" }));
  await user.click(await screen.findByRole("button", { name: "Rename Errors" }));
  const dialog = within(await screen.findByRole("dialog"));
  const [board] = db.boards;
  if (board) board.version += 1;
  expect(dialog.getByLabelText("Chart title")).toHaveAttribute("maxlength", "100");
  await user.click(dialog.getByRole("button", { name: "Save" }));
  expect(await dialog.findByText(/Changed since you opened this/)).toBeVisible();
});

it("says at each chart that its counters could not be loaded", async () => {
  openApp(pb.boards(), undefined, "error-500:series");
  await user.click(await screen.findByRole("link", { name: "Night shift" }));
  expect(await screen.findByText("The counters could not be loaded.")).toBeVisible();
  expect(screen.queryByText("Loading the counters…")).toBeNull();
});
