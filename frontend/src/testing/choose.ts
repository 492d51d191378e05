import { screen } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";

/** Types part of a name into a choice that the server searches, and takes the option. */
export async function choose(user: UserEvent, field: HTMLElement, typed: string, option: RegExp | string) {
  await user.click(field);
  await user.keyboard(typed);
  await user.click(await screen.findByRole("option", { name: option }));
}
