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
  },
  scale: [{ aspectId: "datapath", name: "Data path", level, maxLevel: 9 }],
  actions,
});

describe("buttonAction", () => {
  it("takes the server's word", () => {
    const off = { action: "terminate", enabled: false, disabledReason: "Busy." };
    expect(buttonAction(at(0, [off]), "terminate")).toBe(off);
    expect(buttonAction(at(0), "terminate")).toBeUndefined();
  });
  it("knows that there must be room to scale", () => {
    expect(buttonAction(at(0), "scale_in")).toMatchObject({
      enabled: false,
      disabledReason: "All scaling aspects are at their minimum level.",
    });
    expect(buttonAction(at(9), "scale_out")).toMatchObject({ enabled: false });
    expect(buttonAction(at(4), "scale_out")).toBe(SCALE);
  });
  it("does not light what the server has put out", () => {
    expect(
      buttonAction(at(4, [{ ...SCALE, enabled: false, disabledReason: "Busy." }]), "scale_in")?.disabledReason,
    ).toBe("Busy.");
  });
});

describe("ActionButton", () => {
  it("acts when lit", async () => {
    const act = vi.fn();
    render(
      <ActionButton action={SCALE} onClick={act}>
        Scale out
      </ActionButton>,
    );
    await userEvent.click(screen.getByRole("button", { name: "Scale out" }));
    expect(act).toHaveBeenCalledOnce();
  });
  it("says why it does not, to keyboards as well", async () => {
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
  it("is not there when the server does not offer it", () => {
    render(<ActionButton action={undefined}>Heal</ActionButton>);
    expect(screen.queryByRole("button")).toBeNull();
  });
});
