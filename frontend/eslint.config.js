import js from "@eslint/js";
import prettier from "eslint-config-prettier";
import jsxA11y from "eslint-plugin-jsx-a11y";
import reactHooks from "eslint-plugin-react-hooks";
import globals from "globals";
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["dist", "src/api/__generated__"] },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  jsxA11y.flatConfigs.strict,
  reactHooks.configs.flat.recommended,
  {
    languageOptions: {
      globals: { ...globals.browser },
      parserOptions: { project: ["./tsconfig.node.json"], tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      "max-lines": ["error", { max: 400 }],
      "no-console": "error",
      "@typescript-eslint/no-unused-vars": ["error", { varsIgnorePattern: "^_", argsIgnorePattern: "^_" }],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": [
        "error",
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      "@typescript-eslint/consistent-type-imports": "error",
      // Production code never imports the mock API.
      "no-restricted-imports": [
        "error",
        { patterns: [{ group: ["**/mock-api/**"], message: "mock only in tests and dev" }] },
      ],
    },
  },
  {
    files: ["src/table/**"],
    ignores: ["src/table/HeadCell.tsx"],
    rules: {
      "no-restricted-imports": [
        "error",
        { name: "@patternfly/react-table", importNames: ["Td", "Th"], message: "they measure themselves: ADR 0034" },
      ],
    },
  },
  {
    files: ["mock-api/**", "vite.config.ts", "vitest.config.ts", "src/**/*.test.*", "src/testing/**"],
    rules: { "no-restricted-imports": "off" },
  },
  { files: ["**/*.js"], ...tseslint.configs.disableTypeChecked },
  prettier,
);
