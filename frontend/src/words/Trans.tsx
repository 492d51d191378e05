import type { TransProps } from "@lingui/react";
import { TransNoContext } from "@lingui/react/server";
import { i18n } from "./language";

/** A value that holds a "<b>" of its own stands in the sentence as an element: within its text it would be taken for one. */
const asElement = ([name, value]: [string, unknown]) =>
  [name, typeof value === "string" && value.includes("<") ? <>{value}</> : value] as const;

/** A sentence with elements in it. The language is chosen before the first page is drawn, so no provider is asked for it. */
export const Trans = ({ values = {}, ...props }: TransProps) => (
  <TransNoContext {...props} values={Object.fromEntries(Object.entries(values).map(asElement))} lingui={{ i18n }} />
);
