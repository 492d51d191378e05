import { QueryClientProvider, useMutation } from "@tanstack/react-query";
import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactNode } from "react";
import { MemoryRouter } from "react-router";
import { expect, it, vi } from "vitest";
import { admin } from "../../mock-api/db";
import { json, problem } from "../../mock-api/http";
import { vimProbe } from "@/api/calls";
import { createQueryClient } from "@/api/queries";
import { ChangeButton } from "@/ui/ActionButton";
import { LinkButton } from "@/ui/LinkButton";
import { SessionGate } from "./SessionGate";

const user = userEvent.setup();

function gate(children: ReactNode, ...answers: (() => Response)[]) {
  let asked = 0;
  vi.stubGlobal("fetch", () => {
    const answer = answers[Math.min(asked, answers.length - 1)];
    asked += 1;
    return Promise.resolve(answer?.());
  });
  render(
    <QueryClientProvider client={createQueryClient()}>
      <MemoryRouter>
        <SessionGate>{children}</SessionGate>
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

const buttons = (done: () => void) => (
  <>
    <ChangeButton onClick={done}>Probe now</ChangeButton>
    <LinkButton needs="admin" to="/clouds/new">
      Register a cloud
    </LinkButton>
  </>
);

it("asks a server that is not ready again by itself", async () => {
  gate(
    buttons(vi.fn()),
    () => problem(500, "Server error", "The database does not answer."),
    () => json(admin("ann")),
  );
  expect(await screen.findByRole("alert")).toHaveTextContent("The database does not answer.");
  expect(screen.getByText(/tried again by itself/)).toBeVisible();
  expect(await screen.findByRole("button", { name: "Probe now" })).toBeVisible();
});

it("has off, with the reason, what somebody may not do", async () => {
  const done = vi.fn();
  gate(buttons(done), () => json({ ...admin("vic"), roles: ["viewer"] }));
  const button = await screen.findByRole("button", { name: "Probe now" });
  expect(button).toHaveAttribute("aria-disabled", "true");
  await user.click(button);
  expect(done).not.toHaveBeenCalled();
  expect(await screen.findByRole("tooltip")).toHaveTextContent(
    "This takes the role operator, which vic does not have. Ask an administrator for it.",
  );
  expect(screen.getByRole("button", { name: "Register a cloud" })).toHaveAttribute("aria-disabled", "true");
});

it("asks to log in when a change finds out that the session has ended", async () => {
  const Change = () => {
    const { mutate } = useMutation({ mutationFn: () => vimProbe("v1") });
    return <ChangeButton onClick={() => mutate()}>Probe now</ChangeButton>;
  };
  gate(
    <Change />,
    () => json(admin("ann")),
    () => problem(401, "Log in first", "The session has ended."),
  );
  await user.click(await screen.findByRole("button", { name: "Probe now" }));
  expect(await screen.findByRole("dialog", { name: "Your session has ended" })).toBeVisible();
  expect(screen.getByLabelText("Username")).toHaveValue("ann");
  await waitFor(() => expect(screen.getByLabelText("Password")).toHaveFocus());
});
