import type { FeatureLayoutOfModel } from "@hopwise/gnn-core/spec";
import { areAlike, type FeatureBlock } from "./feature-blocks.ts";
import type { GraphForm } from "./graph-form.ts";

type Features = GraphForm["features"];

/** A block and the number of columns before it */
type PlacedBlock = FeatureBlock & { readonly first: number };

/**
 * Where a model reads each column of a graph that it is applied to. The columns of kinds are those that the rows of a
 * version happen to have, and lists of indices are as wide as the largest index:
 *
 *   model  atom=C atom=N atom=O age      atom=C → 0, atom=O → 2, age → 3; atom=Xe is not read,
 *   graph  atom=C atom=O atom=Xe age     atom=N stays 0
 *
 * @param read the features that the model was trained on
 * @param found those of the graph, which `featureObjection` has let pass
 * @returns null: they are the same columns, or an earlier release has not kept what they were made of
 */
export function columnLayout(read: Features, found: Features): FeatureLayoutOfModel | null {
  if (!read.blocks || !found.blocks) return null;
  const ofModel = placed(read.blocks);
  const runs: Run[] = [];
  for (const block of placed(found.blocks)) {
    const same = ofModel.find((learnt) => areAlike(learnt, block));
    if (same) for (const run of runsOf(same, block)) addRun(runs, run);
  }
  const [first] = runs;
  const areSame = runs.length <= 1 && read.dim === found.dim && (first?.count ?? 0) === read.dim;
  if (areSame) return null;
  return { dim: read.dim, runs, types: typesOf(read) };
}

type Run = FeatureLayoutOfModel["runs"][number];

function placed(blocks: readonly FeatureBlock[]): PlacedBlock[] {
  let first = 0;
  return blocks.map((block) => {
    const at = { ...block, first };
    first += block.dim;
    return at;
  });
}

function runsOf(read: PlacedBlock, found: PlacedBlock): Run[] {
  if (found.made !== "kinds") {
    return [{ from: found.first, to: read.first, count: Math.min(found.dim, read.dim) }];
  }
  const places = new Map(read.columns?.map((kind, i) => [kind, read.first + i]));
  return (found.columns ?? []).flatMap((kind, i) => {
    const to = places.get(kind);
    return to === undefined ? [] : [{ from: found.first + i, to, count: 1 }];
  });
}

/** Runs that follow each other on both sides are one. */
function addRun(runs: Run[], run: Run): void {
  const last = runs.at(-1);
  const goesOn = last && last.from + last.count === run.from && last.to + last.count === run.to;
  if (goesOn) runs[runs.length - 1] = { ...last, count: last.count + run.count };
  else if (run.count > 0) runs.push(run);
}

/** Columns of each type, where types have columns of their own; they stand one behind the other. */
function typesOf({ types }: Features): FeatureLayoutOfModel["types"] {
  let first = 0;
  return (
    types?.map(({ name, dim }) => {
      const range = { name, first, dim };
      first += dim;
      return range;
    }) ?? null
  );
}
