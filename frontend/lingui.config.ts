import { defineConfig } from "@lingui/conf";
import { formatter } from "@lingui/format-po";

/** The source holds the English messages; `npm run words` extracts them into a catalogue, from which translations are made. */
export default defineConfig({
  sourceLocale: "en",
  locales: ["en"],
  catalogs: [{ path: "<rootDir>/src/words/{locale}", include: ["src"], exclude: ["**/*.test.*", "src/testing"] }],
  format: formatter({ lineNumbers: false, printPlaceholdersInComments: false }),
  orderBy: "message",
  runtimeConfigModule: { i18n: ["@/words/language", "i18n"], Trans: ["@/words/Trans", "Trans"] },
});
