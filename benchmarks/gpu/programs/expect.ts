import assert from "node:assert/strict";
import { inspect, isDeepStrictEqual } from "node:util";

interface Pattern {
  readonly matches: (found: unknown) => boolean;
}

/** The matchers of vitest's `expect` that the conformance suites use. Another one is a TypeError, and so a failure. */
export const expect = Object.assign(matchersOf, {
  fail(message: string): never {
    assert.fail(message);
  },
  objectContaining: (expected: Readonly<Record<string, unknown>>): Pattern => ({
    matches: (found) =>
      typeof found === "object" &&
      found !== null &&
      Object.entries(expected).every(([key, value]) => fits((found as Record<string, unknown>)[key], value)),
  }),
  stringMatching: (expected: RegExp): Pattern => ({
    matches: (found) => typeof found === "string" && expected.test(found),
  }),
  stringContaining: (expected: string): Pattern => ({
    matches: (found) => typeof found === "string" && found.includes(expected),
  }),
});

function matchersOf(found: unknown) {
  const hold = (isRight: boolean, what: string) => assert.ok(isRight, `found ${shown(found)}; expected ${what}`);
  return {
    toBe: (expected: unknown) => hold(Object.is(found, expected), shown(expected)),
    toEqual: (expected: unknown) => hold(fits(found, expected), shown(expected)),
    toBeCloseTo: (expected: number, digits = 2) =>
      hold(Math.abs((found as number) - expected) < 10 ** -digits / 2, `${expected} within ${digits} digits`),
    toBeLessThan: (expected: number) => hold((found as number) < expected, `less than ${expected}`),
    toThrow: (expected: unknown) => hold(throwsWhatFits(found as () => unknown, expected), "another error"),
    not: { toEqual: (expected: unknown) => hold(!fits(found, expected), `anything but ${shown(expected)}`) },
  };
}

function throwsWhatFits(run: () => unknown, expected: unknown): boolean {
  try {
    run();
    return false;
  } catch (error) {
    if (typeof expected === "string") return error instanceof Error && error.message.includes(expected);
    if (expected instanceof RegExp) return error instanceof Error && expected.test(error.message);
    return fits(error, expected);
  }
}

function fits(found: unknown, expected: unknown): boolean {
  const { matches } = (expected ?? {}) as Partial<Pattern>;
  return matches ? matches(found) : isDeepStrictEqual(found, expected);
}

function shown(value: unknown): string {
  const text = inspect(value, { breakLength: Number.POSITIVE_INFINITY });
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
