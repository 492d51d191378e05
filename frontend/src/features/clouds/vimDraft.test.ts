import { expect, it } from "vitest";
import { emptyVim, vimErrors, type VimDraft } from "./vimDraft";

const stored: VimDraft = {
  ...emptyVim,
  ...{ name: "cloud", authUrl: "https://keystone.example/v3", projectName: "vnf", username: "vnfm" },
};

it.each([
  ["authUrl", "https://elsewhere.example/v3"],
  ["insecure", true],
  ["cacert", "-----BEGIN CERTIFICATE-----"],
  ["endpointOverrides", "compute=https://elsewhere.example"],
])("asks for the password again when %s changes", (field, value) => {
  const draft = { ...stored, [field]: value };
  expect(vimErrors(draft, stored)).toEqual({ password: expect.stringContaining("again") as string });
  expect(vimErrors({ ...draft, password: "secret" }, stored)).toEqual({});
});

it("keeps the stored password with other changes", () => {
  expect(vimErrors({ ...stored, name: "renamed", region: "two" }, stored)).toEqual({});
  expect(vimErrors(stored, undefined)).toHaveProperty("password");
});
