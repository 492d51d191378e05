import type { TransProps } from "@lingui/react";
import { TransNoContext } from "@lingui/react/server";
import { i18n } from "./language";

/** A sentence with elements in it. The language is chosen before the first page is drawn, so no provider is asked for it. */
export const Trans = (props: TransProps) => <TransNoContext {...props} lingui={{ i18n }} />;
