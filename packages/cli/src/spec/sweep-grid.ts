import { CliError } from "../cli-error.ts";

/** Options of `hopwise train` that a sweep may vary by their own names, and the fields that they stand for. */
const paths: Readonly<Record<string, string>> = {
  model: "model.type",
  sampler: "sampling.type",
  "n-hidden": "model.options.hiddenFeats",
  "n-layers": "model.options.numLayers",
  dropout: "model.options.dropout",
  "batch-size": "train.batchSize",
  epochs: "train.epochs",
  lr: "train.optimizer.options.lr",
};

/**
 * `--sweep lr=0.1,0.01 --sweep model=gcn,sage`: the values of each field.
 *
 * @throws CliError when one of them is no name with values, or named twice
 */
export function gridFromFlags(sweeps: readonly string[]): Record<string, unknown[]> {
  const grid = new Map<string, unknown[]>();
  for (const text of sweeps) {
    const at = text.indexOf("=");
    if (at <= 0) throw new CliError("usage", `--sweep: found "${text}", expected field=value,value.`);
    const name = text.slice(0, at);
    const path = Object.hasOwn(paths, name) ? (paths[name] ?? name) : name;
    if (grid.has(path)) throw new CliError("usage", `--sweep: "${path}" is named twice; give all its values at once.`);
    grid.set(path, valuesOf(text.slice(at + 1)));
  }
  return Object.fromEntries(grid);
}

/** `0.1,0.01` or `gcn,sage`; a list whose values are lists or objects is written as JSON: `[[10,10],[25,10]]`. */
function valuesOf(text: string): unknown[] {
  const whole = jsonOrText(text);
  if (Array.isArray(whole)) return whole;
  if (typeof whole === "object" && whole !== null) return [whole];
  return text.split(",").map(jsonOrText);
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** `0,1,2` or `0-4`, each once. @throws CliError */
export function seedsFromFlag(text: string): number[] {
  const seeds = text.split(",").flatMap((part) => {
    const [, first, last = first] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(part) ?? [];
    const count = Number(last) - Number(first) + 1;
    if (!(count >= 1 && count <= 1000)) {
      throw new CliError("usage", `--seeds: found "${part}", expected whole numbers such as 0,1,2 or 0-4.`);
    }
    return Array.from({ length: count }, (_, i) => Number(first) + i);
  });
  return [...new Set(seeds)];
}

/** `10m`, `2h`, `90s` or an ISO 8601 duration, as one of ISO 8601. @throws CliError */
export function durationFromFlag(text: string): string {
  const [, amount, unit] = /^(\d{1,6})([smh])$/.exec(text) ?? [];
  if (amount !== undefined) return `PT${amount}${unit?.toUpperCase()}`;
  if (/^P(?=.)/.test(text)) return text;
  throw new CliError("usage", `--auto: found "${text}", expected a time such as 10m, 2h or PT10M.`);
}
