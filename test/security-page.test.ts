import { readFileSync } from "node:fs";
import { limits } from "@hopwise/contracts";
import { describe, expect, it } from "vitest";
import { variables as ofApi } from "../apps/api/src/env.ts";
import { variables as ofWorker } from "../apps/gpu-worker/src/env.ts";

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
const page = read("docs/SECURITY.md");

/** The first three cells of every row whose first cell is one name in code. */
const rows = [...page.matchAll(/^\| `(\w+)` \| ([^|]*) \| ([^|]*) \|/gm)].map(
  ([, name = "", second = "", third = ""]) => ({
    name,
    second,
    third,
  }),
);
const rowOf = (name: string) => rows.filter((row) => row.name === name);

const units: Readonly<Record<string, number>> = { KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 };

/** `8 GiB` → 8589934592 */
function amount(cell: string): number {
  const [, digits = "", unit] = /^(\d+)(?: (KiB|MiB|GiB))?$/.exec(cell) ?? [];
  return digits === "" ? Number.NaN : Number(digits) * (unit === undefined ? 1 : (units[unit] ?? Number.NaN));
}

/**
 * The variables of a program that bound something, with what they are when nobody sets them; null: found out at its
 * start.
 */
function limitsOf(shape: typeof ofApi.shape | typeof ofWorker.shape): [string, number | null][] {
  return Object.entries(shape).flatMap(([name, schema]): [string, number | null][] => {
    const byDefault: unknown = schema.safeParse(undefined).data;
    if (typeof byDefault === "number") return name === "HOPWISE_PORT" ? [] : [[name, byDefault]];
    return byDefault === undefined && schema.safeParse("4096000000").data === 4_096_000_000 ? [[name, null]] : [];
  });
}

describe("docs/SECURITY.md", () => {
  const everyLimit = [...limitsOf(ofApi.shape), ...limitsOf(ofWorker.shape)];

  it.each(everyLimit)("names the limit %s with its default", (name, byDefault) => {
    const [row, ...more] = rowOf(name);
    expect(row, `a row of ${name}`).toBeDefined();
    expect(more).toEqual([]);
    if (byDefault !== null) expect(amount(row?.third ?? "")).toBe(byDefault);
  });

  const fixed = Object.entries(limits).filter(([name]) => !isSetByVariable(name));

  it.each(fixed)("names the fixed limit %s with its value", (name, value) => {
    expect(rowOf(name).map(({ second }) => amount(second))).toEqual([value]);
  });

  /** A limit of limits.ts that is the default of the variable of its name. */
  function isSetByVariable(name: string): boolean {
    const variable = `HOPWISE_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
    return variable in ofApi.shape || variable in ofWorker.shape;
  }

  it("names no limit that there is not", () => {
    const known = new Set([...Object.keys(ofApi.shape), ...Object.keys(ofWorker.shape), ...Object.keys(limits)]);
    expect(rows.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([]);
    expect(everyLimit.length).toBeGreaterThan(20);
  });
});

describe("the guide to operating", () => {
  it.each([...new Set([...Object.keys(ofApi.shape), ...Object.keys(ofWorker.shape)])])("explains %s once", (name) => {
    expect(read("docs/guides/operating.md").split(`| \`${name}\` |`)).toHaveLength(2);
  });
});
