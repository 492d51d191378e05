import { expect, it } from "vitest";
import { vsrPe } from "../../mock-api/fixtures/vnfds";
import { detailsText, vnfdTitle } from "./names";

it("names a VNFD by its software version, where that is known", () => {
  const common = { ...vsrPe, provider: "Cisco", productName: "IOS XRv 9000" };
  expect(vnfdTitle({ ...common, softwareVersion: "6.1.2" })).toBe("Cisco IOS XRv 9000 6.1.2");
  expect(vnfdTitle({ ...common, softwareVersion: "not stated" })).toBe("Cisco IOS XRv 9000");
});

it("writes the details of an alarm as words", () => {
  expect(detailsText(["status=SHUTOFF", "connectionPoint=data1", "No host was found: a=b"])).toBe(
    "server stopped, connection point data1, No host was found: a=b",
  );
  expect(detailsText(["administrative=UP, operational=OUT_OF_SERVICE"])).toBe(
    "administrative UP, operational out of service",
  );
});

it("says what protects a server that is missing", () =>
  expect(detailsText(["status=MISSING", "vdu=mg", "Its mate mg-3 protects it."])).toBe(
    "server missing, VDU mg, protected by mg-3 (1+1)",
  ));
