import type { TransProps } from "@lingui/react";
import { TransNoContext } from "@lingui/react/server";
import { i18n } from "./language";

/**
 * A value that contains "<b>" would be parsed as an element within the text, so it is inserted as an element itself.
 */
const asElement = ([name, value]: [string, unknown]) =>
  [name, typeof value === "string" && value.includes("<") ? <>{value}</> : value] as const;

/** Replaces Lingui's `Trans`. The language is chosen before the first page is drawn, so no provider is needed. */
export const Trans = ({ values = {}, ...props }: TransProps) => (
  <TransNoContext {...props} values={Object.fromEntries(Object.entries(values).map(asElement))} lingui={{ i18n }} />
);
