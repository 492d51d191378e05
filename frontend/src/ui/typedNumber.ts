/** The number in an input. React would leave "012" as it was typed, since its number is the same. */
export function typedNumber({ currentTarget }: { currentTarget: HTMLInputElement }): number {
  const plain = currentTarget.value.replace(/^0+(?=\d)/, "");
  if (plain !== currentTarget.value) currentTarget.value = plain;
  return Math.trunc(Number(plain)) || 0;
}
