import { expect, it } from "vitest";
import { pagesBy } from "./palettePages";
import { commandOf } from "./paletteVerbs";

it.each([
  ["scale out pe-1", "pe-1", ["Scale out"]],
  ["Heal the pe-1", "pe-1", ["Heal"]],
  ["scale pe-1", "pe-1", ["Scale out", "Scale in", "Scale to level"]],
  ["stop managing pe-1", "pe-1", ["Stop managing"]],
  ["ack all of core-1", "core-1", ["Acknowledge all alarms"]],
  ["acknowledge all alarms of core-1", "core-1", ["Acknowledge all alarms"]],
  ["deploy VSR-PE", "VSR-PE", ["Instantiate"]],
  ["pe-1 terminate", "pe-1", ["Terminate"]],
  ["delete all of it", "it", ["Delete"]],
  ["heal", "", ["Heal"]],
])("reads %j as %j with %j", (text, object, titles) => {
  const found = commandOf(text);
  expect(found?.object).toBe(object);
  expect([...new Set(found?.verbs.map(({ title }) => title))]).toEqual(titles);
});

it.each(["pe-1", "healer-1", "starting", "scaler"])("takes no verb out of %j", (text) => {
  expect(commandOf(text)).toBeUndefined();
});

it.each([
  ["NE list", "/elements"],
  ["stacks", "/instances"],
  ["faults", "/alarms"],
  ["users", "/administration?tab=users"],
  ["quota", "/clouds"],
  ["community", "/administration?tab=policies"],
  ["password", "/account"],
  ["audit", "/administration?tab=audit"],
])("finds the page of %j first", (text, to) => {
  expect(pagesBy(text)[0]?.to).toBe(to);
});
