import { limits, type SweepRequest } from "@hopwise/contracts";
import { z } from "zod";

/** Values by the paths of their fields, laid over a job spec. */
export type Changes = Readonly<Record<string, unknown>>;

/** Fields that some jobs of a sweep have in common. */
export interface Setting {
  readonly changes: Changes;
  /** What it is, in words; left out: its changes say so. */
  readonly title?: string | undefined;
}

const stored = z.array(z.object({ changes: z.record(z.string(), z.unknown()), title: z.string().optional() }));

/** The settings of a stored sweep; a job's `setting` counts in them. */
export function storedSettings(settings: unknown): Setting[] {
  return stored.parse(settings);
}

const storedGrid = z.record(z.string(), z.array(z.unknown()));
const storedSeeds = z.array(z.number().int());

/** The grid that a stored sweep was asked for with. */
export function gridOf({ grid }: { readonly grid: unknown }): Record<string, unknown[]> {
  return storedGrid.parse(grid);
}

/** The seeds that every setting of a stored sweep is trained with. */
export function seedsOf({ seeds }: { readonly seeds: unknown }): number[] {
  return storedSeeds.parse(seeds);
}

/** Every combination of a grid's values, the last path's changing first: 2 × 3 values are 6 settings. */
export function settingsOf(grid: SweepRequest["grid"]): Changes[] {
  return Object.entries(grid).reduce<Changes[]>(
    (settings, [path, values]) => settings.flatMap((changes) => values.map((value) => ({ ...changes, [path]: value }))),
    [{}],
  );
}

/** The spec with these fields changed; what a path leads through and is not there is made. */
export function withChanges(spec: Changes, changes: Changes): Record<string, unknown> {
  return Object.entries(changes).reduce<Record<string, unknown>>(
    (changed, [path, value]) => withField(changed, path.split("."), value),
    { ...spec },
  );
}

function withField(target: unknown, [name = "", ...rest]: readonly string[], value: unknown): Record<string, unknown> {
  const fields = new Map(isRecord(target) ? Object.entries(target) : []);
  fields.set(name, rest.length === 0 ? value : withField(fields.get(name), rest, value));
  // A name like __proto__ is a field like any other.
  return Object.fromEntries(fields);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A setting in words. */
export function titleOf({ title, changes }: Setting): string {
  return title ?? settingText(changes);
}

/** `lr 0.01, hiddenFeats 64`: a setting by the last words of its paths. */
export function settingText(changes: Changes): string {
  return Object.entries(changes)
    .map(([path, value]) => `${path.split(".").at(-1)} ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
}

/** Name of a setting's job: what it belongs to stands first, and is not cut. */
export function trialName(sweep: string, changes: Changes, seed: number): string {
  const name = [sweep, settingText(changes), `seed ${seed}`].filter(Boolean).join(" · ");
  return name.length <= limits.jobNameLength ? name : `${name.slice(0, limits.jobNameLength - 1)}…`;
}
