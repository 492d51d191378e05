import { act, screen, waitFor } from "@testing-library/react";
import { beforeAll, expect, it, vi } from "vitest";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";

// jsdom measures nothing: the drawing is told what it needs to begin.
beforeAll(() => {
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe = () => undefined;
      unobserve = () => undefined;
      disconnect = () => undefined;
    },
  );
});

it("shows of an instance's drawing the part that the address names, and Back takes the choice back", async () => {
  let [id, vnfc, name] = ["", "", ""];
  const { router } = renderApp(() => `${pb.instance(id)}?tab=topology`, {
    prepare: (db) => {
      const [one] = db.instances;
      [id, vnfc, name] = [one?.id ?? "", one?.vnfcs[0]?.id ?? "", one?.vnfcs[0]?.name ?? ""];
    },
  });
  await screen.findByRole("region", { name: "Topology" });
  await act(() => router.navigate(`?tab=topology&part=${vnfc}`));
  expect(await screen.findByRole("heading", { name })).toBeVisible();
  await act(() => router.navigate(-1));
  await waitFor(() => expect(screen.queryByRole("heading", { name })).toBeNull());
});
