import { i18n } from "@lingui/core";
import { compileMessage } from "@lingui/message-utils/compileMessage";

/** What the console speaks. The source says it in English, which needs no catalogue; a translation would be loaded here. */
export const LANGUAGE = "en";

/** To be called before any module is loaded that has words of its own: many are said where they are defined. */
export function speak(): void {
  i18n.setMessagesCompiler(compileMessage);
  i18n.loadAndActivate({ locale: LANGUAGE, messages: {} });
}
