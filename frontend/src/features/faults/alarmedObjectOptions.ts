import { OBJECTS } from "@/records/optionSources";
import { alarmPage } from "@/api/callsFaults";
import { filterText } from "@/api/filter";
import type { OptionSource } from "@/ui/SearchSelect";

/** The value is the id alone, because the alarms know the type. */
export const ALARMED_OBJECTS: OptionSource = {
  key: "alarmed",
  find: async (text) => {
    const { options, more } = await OBJECTS.find(text);
    return { options: options.map(([value, words]) => [value.split("/")[1] ?? "", words] as const), more };
  },
  nameOf: async (id) => {
    const filter = filterText([["eq", "managedObjectId", id]]) ?? "";
    const { rows } = await alarmPage({ filter, list: "merged", suppressed: true });
    return rows[0]?.managedObjectName ?? id;
  },
};
