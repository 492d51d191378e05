import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { render, screen } from "@testing-library/react";

const PATTERN = String.raw`[\u0041-\x5a]\d`;

it("inserts values literally, also in nested sentences", () => {
  const inner = t`It must match ${PATTERN}.`;
  expect(inner).toBe(`It must match ${PATTERN}.`);
  expect(t`Refused: ${inner}`).toBe(`Refused: It must match ${PATTERN}.`);
  render(
    <p>
      <Trans>
        It must match <code>{PATTERN}</code>.
      </Trans>
    </p>,
  );
  expect(screen.getByText(PATTERN)).toBeVisible();
});

it("escapes markup in values", () => {
  const name = "a<b>c</b><0/>";
  const { container } = render(
    <Trans>
      <strong>{name}</strong> is away
    </Trans>,
  );
  expect(container).toHaveTextContent(`${name} is away`);
});

it("counts rows", () => {
  expect([0, 1, 2].map((count) => plural(count, { one: "# port", other: "# ports" }))).toEqual([
    "0 ports",
    "1 port",
    "2 ports",
  ]);
});
