import type { ManagementProfile, Vnfd } from "@/api/types";

/** The server chooses the profile in the same way (`profile_for`). */
export function profileFor(
  profiles: readonly ManagementProfile[],
  vimId: string | undefined,
  { provider, productName }: Pick<Vnfd, "provider" | "productName">,
): ManagementProfile | undefined {
  const fitting = profiles.filter(
    (each) =>
      (each.vimId === null || each.vimId === vimId) &&
      ["", provider].includes(each.provider) &&
      ["", productName].includes(each.productName),
  );
  const rank = (each: ManagementProfile) =>
    Number(each.productName !== "") * 4 + Number(each.provider !== "") * 2 + Number(each.vimId !== null);
  return fitting.reduce<ManagementProfile | undefined>(
    (best, each) => (best && rank(best) >= rank(each) ? best : each),
    undefined,
  );
}
