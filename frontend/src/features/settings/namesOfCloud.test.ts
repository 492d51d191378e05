import { expect, it } from "vitest";
import type { Setting } from "@/api/types";
import { resources } from "../../../mock-api/fixtures/vims";
import { kindOf, nameWarning, namesOf } from "./namesOfCloud";

const setting = (name: string, patch: Partial<Setting> = {}): Setting => ({
  ...{ name, label: name, description: "", type: "string", default: "", required: false, hidden: false },
  ...{ group: "", constraints: [], ...patch },
});

it.each([
  ["availability_zone", "zones"],
  ["az_1", "zones"],
  ["control_availability_zone", "zones"],
  ["key_name", "keyPairs"],
  ["volume_type", "volumeTypes"],
  ["zone_az2", "zones"],
  ["ssh_key_name", "keyPairs"],
  ["admin_keypair", "keyPairs"],
  ["license_key_name", undefined],
  ["key_name_of_licence", undefined],
  ["volume_availability_zone", undefined],
  ["lazy_mode", undefined],
  ["monkey_names", undefined],
])("knows by its name that %s takes %s", (name, kind) => {
  expect(kindOf(setting(name))).toBe(kind);
});

it("knows a key pair by Heat's constraint, and asks for no secret", () => {
  const constraints = [{ kind: "custom", name: "nova.keypair", message: "" }] as Setting["constraints"];
  expect(kindOf(setting("login", { constraints }))).toBe("keyPairs");
  expect(kindOf(setting("key_name", { hidden: true }))).toBeUndefined();
});

it("says which names the cloud has", () => {
  const zone = setting("availability_zone");
  const names = namesOf(zone, resources()) ?? [];
  expect(names).toEqual(["nova", "zone-2"]);
  expect(nameWarning(zone, "zone-9", names)).toBe("When this cloud was last read it had no zone-9, but nova, zone-2.");
  expect(nameWarning(zone, "nova:compute-1", names)).toBeUndefined();
  expect(nameWarning(zone, "", names)).toBeUndefined();
});

it("takes any text while the cloud does not tell", () => {
  expect(namesOf(setting("availability_zone"), { ...resources(), zones: null })).toBeUndefined();
});
