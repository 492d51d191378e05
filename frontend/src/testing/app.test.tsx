import { act, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { upload } from "@/api/http";
import { pb } from "@/paths";
import { renderApp } from "./app";

const PATH = "/vnfpkgm/v2/vnf_packages/none/package_content";

it("sets the requested state of uploads, too", async () => {
  const { setScenario } = renderApp(pb.catalog());
  await screen.findByRole("heading", { name: "Catalog", level: 1 });
  const refused = (words: string) =>
    act(() => {
      setScenario(words);
      const sending = { onProgress: () => undefined, signal: new AbortController().signal };
      return upload(PATH, new Blob(["PK"]), {}, sending).catch((error: unknown) => error);
    });
  expect(await refused("error-503:/package_content")).toMatchObject({ status: 503 });
  expect(await refused("")).toMatchObject({ status: 404 });
});
