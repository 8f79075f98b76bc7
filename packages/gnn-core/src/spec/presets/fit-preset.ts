import type { GraphFigures } from "./graph-figures.ts";
import type { JobPreset, PresetSections } from "./job-preset.ts";

/** Columns that a bag of words has at least; a table with fewer has measures of different units. */
const wordColumns = 100;

/** Columns made from the edges, for nodes that have none of their own. */
export const structuralColumns = { method: "spectral", dim: 128, hops: 10 } as const;

/** Which nodes are one and two hops away, in a few columns. */
const nearColumns = { method: "projection", dim: 32, hops: 2 } as const;

/** Columns that mean the same in every graph of a set. */
const degreeColumns = { method: "degree", dim: 64 } as const;

/** A column for each node: weights of the first layer are then rows of single nodes. */
export const identityColumns = { method: "identity" } as const;

/** Nodes up to which each has a column: some 500 weights of each are learnt. */
const mostIdentityColumns = 2 ** 18;

/** Whether a preset gives each node a column of its own. */
export function readsIdentity({ spec: { features } }: JobPreset): boolean {
  return features?.structural?.method === "identity";
}

/** Whether a graph's nodes can each have a column: they have no features, and are not too many. */
export function suitsIdentity({ features, numNodes }: GraphFigures): boolean {
  return features.dim === 0 && numNodes <= mostIdentityColumns;
}

/**
 * A preset whose features are read as those of the graph ask for: bags of words as shares of a row, or as they are
 * where there are labels enough to learn from their numbers, or the preset says so; measures by their deviation; and
 * columns made from the edges where there are none.
 */
export function fitPreset(preset: JobPreset, figures: GraphFigures): JobPreset {
  const { spec } = preset;
  const features = { ...spec.features, ...featuresFor(preset, figures) };
  return { ...preset, spec: { ...spec, features, ...modelFor(preset, figures), ...trainFor(preset, figures) } };
}

/** Every step of LightGCN averages the rows of all nodes: some fifty steps an epoch, of as many links as that takes. */
function trainFor({ situation, spec }: JobPreset, { numEdges }: GraphFigures): Pick<PresetSections, "train"> {
  if (situation !== "recommendation") return {};
  const links = 2 ** Math.round(Math.log2(Math.max(1, numEdges / 100)));
  return { train: { ...spec.train, batchSize: Math.min(32_768, Math.max(512, links)) } };
}

/** A wide row of numbers says the same thing in many columns; a model that sees half of them learns more than a few. */
function modelFor(
  { situation, spec: { model } }: JobPreset,
  { features }: GraphFigures,
): Pick<PresetSections, "model"> {
  const areMany = features.dim >= wordColumns && !areWords(features);
  if (situation !== "many-labels" || !areMany || !model) return {};
  return { model: { ...model, options: { ...model.options, inputDropout: 0.5 } } };
}

function areWords({ dim, values }: GraphFigures["features"]): boolean {
  return values !== null && values !== "any" && dim >= wordColumns;
}

function featuresFor(preset: JobPreset, figures: GraphFigures): PresetSections["features"] {
  const [{ situation, spec }, { features }] = [preset, figures];
  if (spec.task?.type === "fastRp") return {};
  if (readsIdentity(preset) && !suitsIdentity(figures)) {
    const { features: _, ...rest } = spec;
    return { structural: null, ...featuresFor({ ...preset, spec: rest }, figures) };
  }
  // Columns are not read beside rows that are learnt alone.
  if (spec.features?.structural || spec.features?.embedding) return {};
  if (features.dim === 0 && situation === "whole-graphs") return { structural: degreeColumns, transforms: [] };
  const isTyped = situation === "typed" || situation === "many-relations";
  // Held on an RDF graph: weights of each relation learn the rest, and by heart what wide columns say.
  if (features.dim === 0 && isTyped) return { structural: nearColumns, transforms: [] };
  if (features.dim === 0) return { structural: structuralColumns, transforms: ["standardize"] };
  // Sums over a graph's nodes count kinds, which columns of zeros and ones name.
  if (situation === "whole-graphs" && features.values === "binary") return { transforms: [] };
  if (!areWords(features)) return { transforms: ["standardize"] };
  const areReadAsTheyAre = situation === "many-labels" || spec.features?.transforms?.length === 0;
  return { transforms: areReadAsTheyAre ? [] : ["rowNormalize"] };
}
