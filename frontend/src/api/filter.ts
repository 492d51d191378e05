/** The lists of the API take filters of SOL013 clause 5.2. */
export type Clause = readonly [op: "eq" | "neq" | "in" | "cont" | "gte" | "lt", attribute: string, value: string];

const quoted = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/** All clauses must hold; a clause without a value is left out. The values of `in` are separated by commas. */
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
