import { expect, it } from "vitest";
import { pb } from "./paths";

it("knows every address of the console", () => {
  const each = Object.entries(pb) as [string, (...words: string[]) => string][];
  const all = Object.fromEntries(each.map(([name, path]) => [name, path("a/b", "c d", "7")]));
  expect(all).toMatchInlineSnapshot(`
    {
      "administration": "/administration?tab=a%2Fb",
      "alarm": "/alarms?list=merged&silent=1&alarm=a%2Fb",
      "alarms": "/alarms",
      "alarmsAt": "/alarms?object=a%2Fb&text=c%20d",
      "alarmsFor": "/alarms?object=a%2Fb",
      "alarmsHeldBack": "/alarms?silent=1&object=a%2Fb",
      "alarmsOf": "/alarms?severity=a%2Fb",
      "alarmsSaying": "/alarms?text=a%2Fb",
      "automation": "/automation",
      "catalog": "/catalog",
      "clone": "/instances/new?vnfd=a%2Fb&copy=c%20d",
      "counters": "/elements/a%2Fb?tab=counters&object=c%20d",
      "dimensioning": "/dimensioning?vnfd=a%2Fb",
      "element": "/elements/a%2Fb",
      "elementInterface": "/elements/a%2Fb?tab=interfaces&interface=c%20d",
      "elementPart": "/elements/a%2Fb?part=c%20d",
      "elementPeer": "/elements/a%2Fb?tab=bgp&peer=c%20d",
      "elementTab": "/elements/a%2Fb?tab=c%20d",
      "elements": "/elements",
      "elementsIn": "/elements?state=a%2Fb",
      "elementsNamed": "/elements?name=a%2Fb",
      "elementsReachable": "/elements?reachable=a%2Fb&state=MANAGED",
      "environments": "/catalog/a%2Fb?tab=environments",
      "forgotten": "/instances/a%2Fb/forgotten",
      "instance": "/instances/a%2Fb",
      "instances": "/instances",
      "instancesBeing": "/instances?health=a%2Fb",
      "instancesNamed": "/instances?search=a%2Fb",
      "instantiate": "/instances/new?vnfd=a%2Fb",
      "instantiateAs": "/instances/new?vnfd=a%2Fb&flavour=c%20d&level=7&scale=",
      "instantiateWith": "/instances/new?vnfd=a%2Fb&environment=c%20d",
      "onMap": "/topology?node=a%2Fb%3Ac%20d",
      "operation": "/instances/a%2Fb/operations/c%20d",
      "overview": "/",
      "packageOnboard": "/catalog?onboard=1",
      "packagesNamed": "/catalog?search=a%2Fb",
      "performance": "/performance",
      "reinstantiate": "/instances/new?instance=a%2Fb",
      "topology": "/topology",
      "traps": "/elements/traps",
      "vim": "/clouds/a%2Fb",
      "vimEdit": "/clouds/a%2Fb/edit",
      "vimRegister": "/clouds/new",
      "vims": "/clouds",
      "vimsReachable": "/clouds?reachable=a%2Fb",
      "vnfPackage": "/catalog/a%2Fb",
      "vnfPackageFile": "/catalog/a%2Fb?tab=files&file=c%20d&line=7",
      "vnfcs": "/instances/a%2Fb?vnfc=c%20d,7",
    }
  `);
});
