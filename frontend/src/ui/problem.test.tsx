import { render } from "@testing-library/react";
import { expect, it } from "vitest";
import type { ProblemDetails } from "@/api/types";
import { ProblemBody } from "./Problem";

const invalid: ProblemDetails = {
  ...{ status: 400, title: "Bad request", code: "INVALID_REQUEST" },
  detail: "The request is not valid: /managementAddress.",
  nextStep: "Correct the named fields.",
  errors: [{ field: "/managementAddress", message: "Enter a valid IPv4 or IPv6 address." }],
};

it("names a field that is not valid in words, and once", () => {
  const { container } = render(<ProblemBody problem={invalid} />);
  expect(container).toHaveTextContent("Management address Enter a valid IPv4 or IPv6 address.");
  expect(container).not.toHaveTextContent("/managementAddress");
  expect(container).not.toHaveTextContent("Next step");
});

it("says nothing of fields whose form does", () => {
  const { container } = render(<ProblemBody problem={invalid} errors={[]} />);
  expect(container).not.toHaveTextContent(/management/i);
});
