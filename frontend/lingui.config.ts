import { defineConfig } from "@lingui/conf";
import { formatter } from "@lingui/format-po";

/** What people read is English in the source; `npm run words` gathers it in one catalogue, from which translations are made. */
export default defineConfig({
  sourceLocale: "en",
  locales: ["en"],
  catalogs: [{ path: "<rootDir>/src/words/{locale}", include: ["src"], exclude: ["**/*.test.*", "src/testing"] }],
  format: formatter({ lineNumbers: false, printPlaceholdersInComments: false }),
  orderBy: "message",
  runtimeConfigModule: { i18n: ["@/words/language", "i18n"], Trans: ["@/words/Trans", "Trans"] },
});
