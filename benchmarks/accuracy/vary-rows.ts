import { readFileSync } from "node:fs";
import { z } from "zod";
import type { Row } from "./row.ts";

const variants = z.array(
  z.strictObject({
    row: z.string(),
    /** Values of the job spec by their path, such as `train.epochs`; null takes a section away */
    set: z.record(z.string(), z.json()),
  }),
);

/**
 * Rows with other settings, each named by what is set: to choose settings by validation, so that they have no aim.
 *
 * @param file JSON list of `{"row": …, "set": {"train.epochs": 40, …}}`
 * @throws Error of a row that there is not
 */
export function varyRows(rows: readonly Row[], file: string): readonly Row[] {
  return variants.parse(JSON.parse(readFileSync(file, "utf8"))).map(({ row: name, set }) => {
    const row = rows.find((each) => each.name === name);
    if (!row) throw new Error(`${file}: no row ${name}; there are ${rows.map((each) => each.name).join(", ")}.`);
    const spec = structuredClone(row.spec) as Section;
    for (const [path, value] of Object.entries(set)) put(spec, path.split("."), value);
    const settings = Object.entries(set).map(([path, value]) => `${path}=${JSON.stringify(value)}`);
    const { also: _, ...kept } = row;
    return { ...kept, name: [name, ...settings].join(" "), aim: null, spec };
  });
}

type Section = { [key: string]: unknown };

function put(section: Section, [key = "", ...path]: readonly string[], value: unknown): void {
  if (path.length > 0) put((section[key] ??= {}) as Section, path, value);
  else if (value === null) delete section[key];
  else section[key] = value;
}
