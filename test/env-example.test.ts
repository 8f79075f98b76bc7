import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { variables as ofApi } from "../apps/api/src/env.ts";
import { variables as ofWorker } from "../apps/gpu-worker/src/env.ts";

const root = new URL("../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");

/**
 * Reads lines `NAME=value` and `#NAME=value`, which have nothing behind the value that a shell would take for part of
 * it.
 */
const lines = [...read(".env.example").matchAll(/^#?([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(([, name = "", value = ""]) => ({
  name,
  value,
}));
const shapes = [ofApi.shape, ofWorker.shape] as const;
const programs = new Set(shapes.flatMap((shape) => Object.keys(shape)));
const ofCompose = new Set(
  readdirSync(root)
    .filter((name) => /^docker-compose.*\.yml$/.test(name))
    .flatMap((name) => [...read(name).matchAll(/\$\{([A-Z_]+)/g)].map(([, variable = ""]) => variable)),
);

describe(".env.example", () => {
  it.each([...new Set([...programs, ...ofCompose])])("has %s once", (name) => {
    expect(lines.filter((line) => line.name === name)).toHaveLength(1);
  });

  it("has no variable that nothing reads", () => {
    expect(lines.filter(({ name }) => !programs.has(name) && !ofCompose.has(name))).toEqual([]);
  });

  const read = lines.flatMap(({ name, value }) =>
    shapes.flatMap((shape) => {
      const schema = Object.entries(shape).find(([of]) => of === name)?.[1];
      return schema ? [{ name, value, schema }] : [];
    }),
  );

  it.each(read)("gives $name a value that is its default or, without one, is taken", ({ value, schema }) => {
    const byDefault: unknown = schema.safeParse(undefined).data;
    const given = schema.safeParse(value);
    expect(given.success).toBe(true);
    const isEmpty =
      byDefault === undefined || (typeof byDefault === "object" && Object.keys(byDefault ?? {}).length === 0);
    if (!isEmpty && byDefault !== "") expect(given.data).toEqual(byDefault);
  });
});
