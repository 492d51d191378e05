import { readdirSync } from "node:fs";

/**
 * Which folder of `src` may import which. A layer imports those before it; a feature imports the layers before `features`
 * and the features that USES names. Imports to another folder begin with "@/", so that one pattern finds them.
 */
const LAYERS = ["words", "paths", "api", "ui", "table", "records", "features", "pages", "frame", "routes"];

/** Feature → the features that it may import, each of which stands above it. What two features share otherwise belongs into a lower layer. */
const USES = {
  account: [],
  administration: ["account"],
  automation: [],
  faults: [],
  manual: [],
  performance: [],
  plans: [],
  settings: ["administration"],
  topology: [],
  dimensioning: [],
  configuration: ["performance"],
  elements: ["administration", "configuration", "faults", "performance"],
  lifecycle: ["plans", "settings"],
  operations: ["lifecycle"],
  instantiate: ["dimensioning", "plans", "settings", "topology"],
  catalog: ["dimensioning", "instantiate", "topology"],
  onboarding: ["catalog"],
  clouds: ["plans", "settings"],
  instances: ["configuration", "elements", "faults", "instantiate", "lifecycle", "performance", "plans", "topology"],
  overview: ["instances"],
};

const features = Object.keys(USES);
const unlisted = readdirSync(`${import.meta.dirname}/src/features`).filter((name) => !features.includes(name));
if (unlisted.length > 0) throw new Error(`${unlisted.join()}: list what these features use in eslint.layers.js`);
features.forEach((feature, index) => {
  const later = USES[feature].filter((used) => !features.slice(0, index).includes(used));
  if (later.length > 0) throw new Error(`${feature} uses ${later.join()}, which must stand above it`);
});

/** Folders and files of `src` that are no layer: the start, and what only tests import. */
const NO_LAYERS = ["main", "testing"];
const strays = readdirSync(`${import.meta.dirname}/src`)
  .map((name) => name.replace(/\..*$/, ""))
  .filter((name) => !LAYERS.includes(name) && !NO_LAYERS.includes(name));
if (strays.length > 0) throw new Error(`${strays.join()}: say in eslint.layers.js which layer that is`);

const MOCK = { group: ["**/mock-api/**"], message: "The mock API is for tests and development only." };
const CLIMBING = { regex: String.raw`^\.\./`, message: 'Write "@/…" for another folder.' };
const noneOf = (paths, message) => (paths.length === 0 ? [] : [{ regex: `^@/(?:${paths.join("|")})(?:/|$)`, message }]);

/** ADR 0034: these two measure themselves, row by row. */
const SLOW_CELLS = {
  name: "@patternfly/react-table",
  importNames: ["Td", "Th"],
  message: "Slow in long lists: ADR 0034.",
};

const rule = (files, patterns, paths = []) => ({
  files,
  rules: { "no-restricted-imports": ["error", { paths, patterns: [MOCK, CLIMBING, ...patterns] }] },
});

export const layerRules = [
  ...LAYERS.map((layer, index) =>
    rule(
      [`src/${layer}/**`, `src/${layer}.ts*`],
      noneOf(LAYERS.slice(index + 1), `${layer} is a lower layer: eslint.layers.js`),
      layer === "table" ? [SLOW_CELLS] : [],
    ),
  ),
  ...features.map((feature) =>
    rule(
      [`src/features/${feature}/**`],
      [
        ...noneOf(LAYERS.slice(LAYERS.indexOf("features") + 1), "features is a lower layer: eslint.layers.js"),
        ...noneOf(
          features
            .filter((each) => each !== feature && !USES[feature].includes(each))
            .map((each) => `features/${each}`),
          `${feature} does not use that feature: eslint.layers.js`,
        ),
      ],
    ),
  ),
  rule(["src/main.tsx"], []),
  {
    files: ["src/**/*.tsx"],
    rules: {
      "no-restricted-syntax": [
        "error",
        {
          selector: ":matches(FunctionDeclaration, VariableDeclarator)[id.name='Component']",
          message: "Stack traces show this name: give it its own, and export it as Component where a route needs that.",
        },
      ],
    },
  },
  {
    files: ["src/table/HeadCell.tsx", "mock-api/**", "*.config.ts", "src/**/*.test.*", "src/testing/**"],
    rules: { "no-restricted-imports": "off" },
  },
];
