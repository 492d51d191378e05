import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { ActionButton } from "@/ui/ActionButton";
import type { Action, VnfInstance } from "@/api/types";
import { buttonAction } from "./instanceActions";

const SCALE: Action = { action: "scale", enabled: true, disabledReason: "" };
const at = (level: number, actions: Action[] = [SCALE]): VnfInstance => ({
  ...{
    id: "i",
    name: "n",
    description: "",
    vnfdId: "d",
    instantiationState: "INSTANTIATED",
    conditions: [],
    version: 1,
  },
  ...{
    vnfcs: [],
    vnfcCount: 0,
    networks: [],
    drift: [],
    settings: {},
    stack: null,
    runningOpOccId: null,
    vimId: null,
    createdAt: "",
    flavourId: "default",
    managementAddresses: [],
  },
  scale: [{ aspectId: "datapath", name: "Data path", level, maxLevel: 9 }],
  actions,
});

describe("buttonAction", () => {
  it("follows the server's permissions", () => {
    const off = { action: "terminate", enabled: false, disabledReason: "Busy." };
    expect(buttonAction(at(0, [off]), "terminate")).toBe(off);
    expect(buttonAction(at(0), "terminate")).toBeUndefined();
  });
  it("disables scaling at the limits", () => {
    expect(buttonAction(at(0), "scale_in")).toMatchObject({
      enabled: false,
      disabledReason: "All scaling aspects are at their minimum level.",
    });
    expect(buttonAction(at(9), "scale_out")).toMatchObject({ enabled: false });
    expect(buttonAction(at(4), "scale_out")).toBe(SCALE);
  });
  it("keeps actions disabled that the server disabled", () => {
    expect(
      buttonAction(at(4, [{ ...SCALE, enabled: false, disabledReason: "Busy." }]), "scale_in")?.disabledReason,
    ).toBe("Busy.");
  });
});

describe("ActionButton", () => {
  it("runs the action when enabled", async () => {
    const act = vi.fn();
    render(
      <ActionButton action={SCALE} onClick={act}>
        Scale out
      </ActionButton>,
    );
    await userEvent.click(screen.getByRole("button", { name: "Scale out" }));
    expect(act).toHaveBeenCalledOnce();
  });
  it("says why it is disabled, by keyboard as well", async () => {
    const act = vi.fn();
    const action = { action: "scale", enabled: false, disabledReason: "Another operation is running." };
    render(
      <ActionButton action={action} onClick={act}>
        Scale out
      </ActionButton>,
    );
    await userEvent.tab();
    expect(screen.getByRole("button", { name: "Scale out" })).toHaveFocus();
    expect(await screen.findByText("Another operation is running.")).toBeInTheDocument();
    await userEvent.keyboard("{Enter}");
    expect(act).not.toHaveBeenCalled();
  });
  it("is hidden when the server does not offer it", () => {
    render(<ActionButton action={undefined}>Heal</ActionButton>);
    expect(screen.queryByRole("button")).toBeNull();
  });
});
