import type { SparseSpec } from "./job-form.ts";
import { inOrder, optionsOfTask } from "./presets.ts";

/** A field that is to be varied, and its values as they are typed. */
export interface SweepAxis {
  readonly key: number;
  readonly path: string;
  readonly values: string;
}

/** The part of the form that makes several jobs of one, as it is typed. */
export interface SweepDraft {
  readonly axes: readonly SweepAxis[];
  readonly seeds: string;
  /** Minutes in which settings are looked for, in place of axes and seeds; null: they are not */
  readonly searchMinutes: number | null;
}

/** What a sweep is submitted with, beside the spec. */
export interface SweepParts {
  readonly grid: Readonly<Record<string, readonly unknown[]>>;
  readonly seeds?: readonly number[];
  readonly auto?: { readonly budget: string };
}

/** What a draft says. `parts` is null when nothing is varied: a single job is asked for. */
export interface ReadSweep {
  readonly parts: SweepParts | null;
  readonly numJobs: number;
  /** Why the seeds cannot be read */
  readonly seedsProblem: string | null;
}

export const noSweep: SweepDraft = { axes: [], seeds: "", searchMinutes: null };

/** Sections that a sweep may vary, as the API has them. */
const sections = ["task", "split", "features", "partition", "model", "sampling", "train", "resources"];

/** The fields that a sweep may vary, by the pointers of the form's fields. */
export function sweptPaths(pointers: readonly string[]): string[] {
  const paths = pointers.map((pointer) => pointer.slice(1).replaceAll("/", "."));
  const isSwept = (path: string) => sections.includes(path.split(".")[0] ?? "") && path !== "train.seed";
  return [...new Set(paths)].filter((path) => isSwept(path) && path.includes("."));
}

/** Reads what was typed; a field without values, or values without a field, are not counted yet. */
export function readSweep({ axes, seeds, searchMinutes }: SweepDraft): ReadSweep {
  if (searchMinutes !== null) {
    return { parts: { grid: {}, auto: { budget: `PT${searchMinutes}M` } }, numJobs: 1, seedsProblem: null };
  }
  const grid = Object.fromEntries(
    axes.flatMap(({ path, values }): [string, readonly unknown[]][] => {
      const read = readValues(values);
      return path.trim() === "" || read.length === 0 ? [] : [[path.trim(), read]];
    }),
  );
  const read = readSeeds(seeds);
  const known = read && read.length > 0 ? read : null;
  const numJobs = Object.values(grid).reduce((product, values) => product * values.length, known?.length ?? 1);
  const isVaried = Object.keys(grid).length > 0 || known !== null;
  return {
    parts: isVaried ? { grid, ...(known && { seeds: known }) } : null,
    numJobs,
    seedsProblem: read === null ? "Found no whole numbers such as 0, 1, 2 or 0-4." : null,
  };
}

/** `0.1, 0.01` or `gcn, sage`; values that are lists are written as JSON: `[[10, 10], [25, 10]]`. */
function readValues(text: string): readonly unknown[] {
  const whole = jsonOrText(text.trim());
  if (Array.isArray(whole)) return whole;
  if (typeof whole === "object" && whole !== null) return [whole];
  return text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean)
    .map(jsonOrText);
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** `0, 1, 2` or `0-4`; null: there is something else among them. */
function readSeeds(text: string): number[] | null {
  const parts = text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);
  const seeds = parts.flatMap((part) => {
    const [, first, last = first] = /^(\d{1,9})(?:\s*-\s*(\d{1,9}))?$/.exec(part) ?? [];
    const count = Number(last) - Number(first) + 1;
    return count >= 1 && count <= 1000 ? Array.from({ length: count }, (_, i) => Number(first) + i) : [Number.NaN];
  });
  return seeds.some(Number.isNaN) ? null : [...new Set(seeds)];
}

/** Sections that a search is to find, unless somebody has set them by hand. */
const searchedSections = ["model", "sampling", "train", "features"];

/**
 * The spec as it is sent: a search is told what was set by hand alone, so that it finds the rest.
 *
 * @param preset what the form started from, of which what it says of the task is to be found, too
 */
export function specToSend(
  spec: SparseSpec,
  parts: SweepParts | null,
  edited: readonly string[],
  preset: SparseSpec,
): SparseSpec {
  if (!parts?.auto) return spec;
  const isLeft = (section: string) => !searchedSections.includes(section) || edited.includes(section);
  const own = optionsOfTask(preset);
  const task = Object.entries((spec["task"] ?? {}) as SparseSpec).filter(
    ([option, value]) => !Object.hasOwn(own, option) || inOrder(own[option]) !== inOrder(value),
  );
  const left = Object.fromEntries(Object.entries(spec).filter(([section]) => isLeft(section)));
  return spec["task"] === undefined ? left : { ...left, task: Object.fromEntries(task) };
}
