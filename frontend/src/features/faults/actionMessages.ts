import { plural } from "@lingui/core/macro";

export const acknowledged = (count: number): string =>
  plural(count, { one: "# alarm acknowledged", other: "# alarms acknowledged" });
export const unacknowledged = (count: number): string =>
  plural(count, { one: "# alarm unacknowledged", other: "# alarms unacknowledged" });
export const assigned = (count: number): string =>
  plural(count, { one: "# alarm assigned", other: "# alarms assigned" });
