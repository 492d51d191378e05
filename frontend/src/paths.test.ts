import { expect, it } from "vitest";
import { pb } from "./paths";

it("knows every address of the console", () => {
  const all = Object.fromEntries(Object.entries(pb).map(([name, path]) => [name, path("a/b", "c d")]));
  expect(all).toMatchInlineSnapshot(`
    {
      "alarms": "/alarms",
      "alarmsFor": "/alarms?object=a%2Fb",
      "alarmsOf": "/alarms?severity=a%2Fb",
      "catalog": "/catalog",
      "forgotten": "/instances/a%2Fb/forgotten",
      "instance": "/instances/a%2Fb",
      "instances": "/instances",
      "instantiate": "/instances/new?vnfd=a%2Fb",
      "operation": "/instances/a%2Fb/operations/c%20d",
      "reinstantiate": "/instances/new?instance=a%2Fb",
      "vim": "/clouds/a%2Fb",
      "vimEdit": "/clouds/a%2Fb/edit",
      "vimRegister": "/clouds/new",
      "vims": "/clouds",
      "vnfPackage": "/catalog/a%2Fb",
    }
  `);
});
