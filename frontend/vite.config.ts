import { lingui } from "@lingui/vite-plugin";
import react from "@vitejs/plugin-react";
import { fileURLToPath } from "node:url";
import { defineConfig, type BuildOptions } from "vite";

/** `VNFM_API=http://127.0.0.1:8080 npm run dev` talks to a running VNF manager instead of the mock. */
const backend = process.env["VNFM_API"];
const API = ["/api", "/vnfpkgm", "/vnflcm", "/vnffm", "/vnfpm", "/vnfind"];

/** The mock of the API stands in for it in development only; a build needs none of its packages. */
const mock = async () => (await import("./mock-api/plugin")).mockApi();

/** The messages stay in the code: the language of the source needs no catalogue. */
const WORDS = { macroTransform: { macro: { descriptorFields: "message" } } } as const;

/**
 * The code that every page needs is one file: dozens of small ones are larger together, and each costs a request. The
 * styles of all other pages are one file too: a style sheet that arrives with the next page restyles the thousands of
 * elements of this one before the click is answered.
 */
const FEW_FILES: BuildOptions["rolldownOptions"] = {
  output: {
    codeSplitting: {
      groups: [
        { name: "console", tags: ["$initial"] },
        { name: "styles", test: /\.css$/ },
      ],
    },
  },
};

export default defineConfig(async ({ command, isPreview }) => ({
  plugins: [lingui(WORDS), react(), ...((command === "serve" || isPreview) && !backend ? [await mock()] : [])],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  server: {
    host: "127.0.0.1",
    ...(backend ? { proxy: Object.fromEntries(API.map((path) => [path, { target: backend }])) } : {}),
  },
  preview: { host: "127.0.0.1" },
  build: {
    target: "es2024",
    // A strict content security policy allows no data: URLs.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
    rolldownOptions: FEW_FILES,
  },
}));
