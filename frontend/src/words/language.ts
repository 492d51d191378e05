import { I18n, type MessageDescriptor, type MessageOptions, type Values } from "@lingui/core";
import { compileMessage, type CompiledMessage } from "@lingui/message-utils/compileMessage";

/** The source is in English, which needs no catalogue. */
export const LANGUAGE = "en";

const compiled = new Map<string, CompiledMessage>();
/** A list formats the same message in each row, so each is compiled once. */
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

/** Lingui decodes `\u0041` and `\x41` in a finished sentence, but a value such as a pattern must stay as it is. */
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
 * The macros use this instance (`lingui.config.ts`). It exists before any module is evaluated, so that messages can
 * be module constants; a translation would be awaited here.
 */
export const i18n = new Words({});
i18n.setMessagesCompiler(compiledOnce);
i18n.loadAndActivate({ locale: LANGUAGE, messages: {} });
