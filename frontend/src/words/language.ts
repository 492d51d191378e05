import { I18n, type MessageDescriptor, type MessageOptions, type Values } from "@lingui/core";
import { compileMessage, type CompiledMessage } from "@lingui/message-utils/compileMessage";

/** What the console speaks. The source says it in English, which needs no catalogue. */
export const LANGUAGE = "en";

const compiled = new Map<string, CompiledMessage>();
/** Lists say the same message in each row. */
function compiledOnce(message: string): CompiledMessage {
  const known = compiled.get(message) ?? compileMessage(message);
  compiled.set(message, known);
  return known;
}

const hasBackslash = (value: unknown): value is string => typeof value === "string" && value.includes("\\");
const escaped = (values: Values | undefined): Values | undefined =>
  values && Object.values(values).some(hasBackslash)
    ? Object.fromEntries(
        Object.entries(values).map(([name, value]) => [
          name,
          hasBackslash(value) ? value.replaceAll("\\", String.raw`\x5c`) : value,
        ]),
      )
    : values;

/** Lingui decodes `\u0041` and `\x41` in a finished sentence; in a value, a pattern for one, they are what they say. */
class Words extends I18n {
  override _(descriptor: MessageDescriptor): string;
  override _(id: string, values?: Values, options?: MessageOptions): string;
  override _(said: MessageDescriptor | string, values?: Values, options?: MessageOptions): string {
    return typeof said === "string"
      ? super._(said, escaped(values), options)
      : super._(said.id, escaped(said.values), said);
  }
}

/**
 * What the macros of sentences ask (`lingui.config.ts`). Every module that has words imports this one, so that they can
 * be said where they are defined; a translation would be awaited here.
 */
export const i18n = new Words({});
i18n.setMessagesCompiler(compiledOnce);
i18n.loadAndActivate({ locale: LANGUAGE, messages: {} });
