import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";

const MOST_WORDS = 5;
const ATTRIBUTES = new Set(["label", "title", "text"]);
/** Titles of these components are messages and not labels. */
const MESSAGES = /Alert$|Dialog$|^Empty$|^Drawer$/;
const BUTTONS = /Button$|Item$|Option$|^Th$|^Tab$/;
/** These are whole problems of RFC 9457 and the failure of a test message. */
const PROBLEMS = new Set(["src/api/client.ts", "src/api/problem.ts", "src/features/administration/AlarmRoutes.tsx"]);

const sources = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "__generated__" ? [] : sources(path);
    return /\.tsx?$/.test(path) && !path.includes(".test.") ? [path] : [];
  });

/** An inserted value counts as one word. */
function messageOf(node: ts.Node | undefined): string | undefined {
  if (node === undefined) return undefined;
  if (ts.isJsxExpression(node)) return messageOf(node.expression);
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (ts.isJsxText(node)) return node.text;
  if (ts.isJsxElement(node)) return node.children.map(messageOf).join(" ");
  if (!ts.isTaggedTemplateExpression(node) || node.tag.getText() !== "t") return undefined;
  const { template } = node;
  if (ts.isNoSubstitutionTemplateLiteral(template)) return template.text;
  return [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)].join("X");
}

/** Labels are of fields, columns, tabs, panels, buttons and menu items. */
function labelAt(node: ts.Node): string | undefined {
  if (ts.isJsxAttribute(node)) {
    const of = node.parent.parent.tagName.getText();
    return ATTRIBUTES.has(node.name.getText()) && !MESSAGES.test(of) ? messageOf(node.initializer) : undefined;
  }
  if (ts.isPropertyAssignment(node)) {
    return ATTRIBUTES.has(node.name.getText()) ? messageOf(node.initializer) : undefined;
  }
  return ts.isJsxElement(node) && BUTTONS.test(node.openingElement.tagName.getText()) ? messageOf(node) : undefined;
}

const isLong = (label: string): boolean => label.split(/\s+/).filter((word) => /\w/.test(word)).length > MOST_WORDS;

function labelsOf(path: string): string[] {
  const kind = path.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true, kind);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const label = labelAt(node)?.trim();
    if (label) found.push(label);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

describe("labels", () => {
  const labels = sources("src")
    .filter((path) => !PROBLEMS.has(path))
    .flatMap((path) => labelsOf(path).map((label) => `${path}: ${label}`));

  it("have five words at most", () => {
    expect(labels.length).toBeGreaterThan(800);
    expect(labels.filter((each) => isLong(each.slice(each.indexOf(": ") + 2)))).toEqual([]);
  });

  it("are counted by words", () => {
    expect(isLong("Acknowledge all alarms of pe-1")).toBe(false);
    expect(isLong("Acknowledge all alarms of the router")).toBe(true);
  });
});
