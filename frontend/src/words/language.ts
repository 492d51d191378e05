import { i18n } from "@lingui/core";
import { compileMessage } from "@lingui/message-utils/compileMessage";

/** What the console speaks. The source says it in English, which needs no catalogue. */
export const LANGUAGE = "en";

// Every module that has words imports this one, so that they can be said where they are defined. A translation would be
// awaited here.
i18n.setMessagesCompiler(compileMessage);
i18n.loadAndActivate({ locale: LANGUAGE, messages: {} });

export { i18n };
