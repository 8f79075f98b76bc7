import { CliError } from "../cli-error.ts";

/** Reads a whole number of at least `least`. @throws CliError */
export function wholeNumber(least: number) {
  return (text: string): number => {
    const value = Number(text);
    if (Number.isSafeInteger(value) && value >= least) return value;
    throw new CliError("usage", `Found "${text}", expected a whole number of ${least} or more.`);
  };
}

/** Reads a number. @throws CliError */
export function anyNumber(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value)) return value;
  throw new CliError("usage", `Found "${text}", expected a number.`);
}

/** Gathers what an option that may be repeated was given. */
export function repeated(value: string, earlier: readonly string[] = []): string[] {
  return [...earlier, value];
}
