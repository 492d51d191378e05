import react from "@vitejs/plugin-react";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { mockApi } from "./mock-api/plugin";

/** `VNFM_API=http://127.0.0.1:8080 npm run dev` talks to a running VNF manager instead of the mock. */
const backend = process.env["VNFM_API"];
const API = ["/api", "/vnfpkgm", "/vnflcm", "/vnffm"];

export default defineConfig(({ mode }) => ({
  plugins: [react(), ...(backend || mode === "test" ? [] : [mockApi()])],
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
  },
  test: {
    environment: "jsdom",
    globals: true,
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: ["src/testing/setup.ts"],
    css: false,
    testTimeout: 30_000,
  },
}));
