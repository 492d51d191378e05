import { lingui } from "@lingui/vite-plugin";
import react from "@vitejs/plugin-react";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// Where it is UTC, times in the zone of the computer and in UTC would look the same.
process.env["TZ"] = "Europe/Berlin";

export default defineConfig({
  plugins: [lingui({ macroTransform: true }), react()],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  test: {
    environment: "jsdom",
    // Shared modules are loaded once per worker; each test file has a window of its own.
    isolate: false,
    globals: true,
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: ["src/testing/setup.ts"],
    css: false,
    testTimeout: 30_000,
  },
});
