/** The filter of SOL013 clause 5.2 that the lists of the API take. */
export type Clause = readonly [op: "eq" | "neq" | "in" | "cont" | "gte" | "lt", attribute: string, value: string];

const quoted = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/** Clauses that must all hold; those without a value do not count. The values of `in` stand with commas between them. */
export function filterText(clauses: readonly Clause[]): string | undefined {
  const given = clauses.filter(([, , value]) => value !== "");
  if (given.length === 0) return undefined;
  return given
    .map(([op, attribute, value]) => {
      const values = op === "in" ? value.split(",") : [value];
      return `(${op},${attribute},${values.map(quoted).join(",")})`;
    })
    .join(";");
}
