import { readFileSync } from "node:fs";
import { buildSchema } from "graphql";
import { Arena } from "./arena.ts";
import { Dice } from "./dice.ts";
import { FilesTarget } from "./files/files-target.ts";
import { FormatsTarget } from "./files/formats-target.ts";
import { GraphqlTarget } from "./graphql.ts";
import { RestTarget } from "./rest.ts";
import { SpecsTarget } from "./specs.ts";
import { type Outcome, type Target, type TargetName, targetNames } from "./target.ts";
import { WebsocketTarget } from "./websocket.ts";

export interface FuzzOptions {
  readonly seed: number;
  /** In all, shared by the targets */
  readonly cases: number;
  readonly only: readonly TargetName[];
  /** The one case of each target to play; null: from the first on. */
  readonly at: number | null;
  /** Damages files of the families alone whose names have this; left out: of all */
  readonly family?: string;
  onFault?(fault: Fault): void;
}

/** A case that was not taken well, with all it takes to play it again. */
export interface Fault {
  readonly target: TargetName;
  readonly seed: number;
  readonly index: number;
  readonly what: string;
  /** The case itself, as JSON */
  readonly made: string;
}

export interface FuzzReport {
  readonly cases: number;
  readonly faults: readonly Fault[];
  /** How the cases of each target ended */
  readonly endings: Readonly<Record<string, Record<string, number>>>;
  /** The most memory of the process that read the files of a target */
  readonly peakMiB: Readonly<Record<string, number>>;
}

/** They need no service. */
const ofFiles: ReadonlySet<TargetName> = new Set(["files", "formats"]);
const schemaFile = new URL("../../apps/api/schema.graphql", import.meta.url);

/** Plays made-up cases against a real service and real steps, and tells which were not taken well. */
export async function runFuzz(options: FuzzOptions): Promise<FuzzReport> {
  const { only, cases } = options;
  const arena = only.some((name) => !ofFiles.has(name)) ? await Arena.start() : null;
  const faults: Fault[] = [];
  const endings: Record<string, Record<string, number>> = {};
  const peakMiB: Record<string, number> = {};
  let numCases = 0;
  try {
    for (const [i, name] of only.entries()) {
      const target = await open(name, arena, options.family);
      const counts = (endings[name] = {} as Record<string, number>);
      const share = Math.floor(cases / only.length) + (i < cases % only.length ? 1 : 0);
      const indices = options.at === null ? Array.from({ length: share }, (_, index) => index) : [options.at];
      for (const index of indices) {
        const { kind, fault } = await play(target, options.seed, index, arena);
        numCases++;
        counts[kind] = (counts[kind] ?? 0) + 1;
        if (fault === null) continue;
        faults.push(fault);
        options.onFault?.(fault);
      }
      if (!(target instanceof FilesTarget || target instanceof FormatsTarget)) continue;
      peakMiB[name] = Math.round(target.peakBytes / 2 ** 20);
      await target.close();
    }
  } finally {
    await arena?.stop();
  }
  return { cases: numCases, faults, endings, peakMiB };
}

async function play(target: Target, seed: number, index: number, arena: Arena | null) {
  const made = target.generate(new Dice(seed, targetNames.indexOf(target.name), index));
  const outcome: Outcome = await target.run(made);
  const what = outcome.fault ?? (await arena?.harm()) ?? null;
  const fault: Fault | null =
    what === null ? null : { target: target.name, seed, index, what, made: JSON.stringify(made) };
  return { kind: outcome.kind, fault };
}

async function open(name: TargetName, arena: Arena | null, family: string | undefined): Promise<Target> {
  if (name === "files") return FilesTarget.open();
  if (name === "formats") return FormatsTarget.open(family);
  if (arena === null) throw new Error(`${name} needs a service.`);
  const schema = () => buildSchema(readFileSync(schemaFile, "utf8"));
  if (name === "rest") return new RestTarget(arena);
  if (name === "graphql") return new GraphqlTarget(arena, schema());
  return name === "specs" ? SpecsTarget.open(arena) : new WebsocketTarget(arena, schema());
}
