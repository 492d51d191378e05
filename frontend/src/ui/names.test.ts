import { expect, it } from "vitest";
import { vsrPe } from "../../mock-api/fixtures/vnfds";
import { vnfdTitle } from "./names";

it("names a VNFD by its software version, where that is known", () => {
  const common = { ...vsrPe, provider: "Cisco", productName: "IOS XRv 9000" };
  expect(vnfdTitle({ ...common, softwareVersion: "6.1.2" })).toBe("Cisco IOS XRv 9000 6.1.2");
  expect(vnfdTitle({ ...common, softwareVersion: "not stated" })).toBe("Cisco IOS XRv 9000");
});
