import { columnLayout } from "./column-layout.ts";
import { areAlike, type FeatureBlock } from "./feature-blocks.ts";
import type { GraphForm } from "./graph-form.ts";
import { namesOf } from "./names-of.ts";

type Features = GraphForm["features"];

/**
 * Why a model cannot read the features of a graph; null: it can. Columns of kinds and of lists follow the rows of each
 * version and may differ: `columnLayout` says where the model reads them.
 */
export function featureObjection({ features: read }: GraphForm, { features: found }: GraphForm): string | null {
  const words = { none: "no node features", dense: "dense features", csr: "sparse features" };
  if (read.kind !== found.kind) {
    return `The model reads ${words[read.kind]} and the graph has ${words[found.kind]}; map the same columns as in the version that it was trained on.`;
  }
  if (read.blocks && found.blocks) return blocksObjection(read.blocks, found.blocks);
  const objection = namesObjection(read.columns, found.columns) ?? widthObjection(read, found);
  const mayFollow = found.blocks?.some(({ made }) => made !== "numbers") ?? false;
  if (!objection || !mayFollow) return objection;
  return `${objection} An earlier release kept this version without what its columns were made of; keep the model of its job under another name, or train again.`;
}

/**
 * Why a training cannot go on from a model on the features of a graph to which it can be applied: it learns from the
 * graph's own columns, which have to be those of the model. null: it can.
 */
export function sameColumnsObjection({ features: read }: GraphForm, { features: found }: GraphForm): string | null {
  if (!read.blocks || !found.blocks || columnLayout(read, found) === null) return null;
  const other = found.blocks.find((block) => {
    const same = read.blocks?.find((learnt) => areAlike(learnt, block));
    return same?.dim !== block.dim || (block.columns?.some((column, i) => column !== same.columns?.[i]) ?? false);
  });
  const which = other ? `the column "${other.name}" has other values here` : "the columns have another order here";
  return `A training starts from a model only on the columns that it has learnt, and ${which}. Apply the model as it is, or train from the beginning.`;
}

function blocksObjection(read: readonly FeatureBlock[], found: readonly FeatureBlock[]): string | null {
  const without = (blocks: readonly FeatureBlock[], others: readonly FeatureBlock[]) =>
    blocks.find((block) => block.dim > 0 && !others.some((other) => areAlike(other, block)));
  const missing = without(read, found);
  const further = without(found, read);
  if (missing) return `The graph lacks ${wordsOf(missing)} that the model reads; map them as they were.`;
  if (further) return `The model was trained without ${wordsOf(further)}; leave them out of the features.`;
  for (const block of read) {
    const same = found.find((other) => areAlike(other, block));
    const objection = same && block.made === "numbers" ? numbersObjection(block, same) : null;
    if (objection) return objection;
  }
  return null;
}

function wordsOf({ type, name, made, dim, columns }: FeatureBlock): string {
  if (made === "numbers" && columns) return `the columns ${namesOf(columns)}`;
  const whose = type === null ? "" : ` of nodes of the type "${type}"`;
  if (made === "kinds") return `the kinds of "${name}"${whose}`;
  return made === "indices" ? `the lists of indices "${name}"${whose}` : `the matrix of ${dim} columns${whose}`;
}

function numbersObjection(read: FeatureBlock, found: FeatureBlock): string | null {
  const objection = namesObjection(read.columns, found.columns);
  if (objection || read.dim === found.dim) return objection;
  const nodes = read.type === null ? "" : ` of nodes of the type "${read.type}"`;
  return `The model reads ${read.dim} feature columns${nodes} and the graph has ${found.dim}; map them alike.`;
}

/** null on either side: columns without names, which are told by their number alone */
function namesObjection(read: readonly string[] | null, found: readonly string[] | null): string | null {
  if (!read || !found) return null;
  const missing = read.filter((name) => !found.includes(name));
  const further = found.filter((name) => !read.includes(name));
  if (missing.length > 0) return `The graph lacks ${namesOf(missing)} of the model's feature columns; map them too.`;
  if (further.length > 0) return `The model was trained without ${namesOf(further)}; leave it out of the features.`;
  const at = read.findIndex((name, i) => name !== found[i]);
  if (at < 0) return null;
  return `The feature columns have another order: the model reads "${read[at]}" where the graph has "${found[at]}".`;
}

function widthObjection(read: Features, found: Features): string | null {
  const other = read.types?.find(({ name, dim }) => found.types?.find((type) => type.name === name)?.dim !== dim);
  if (other)
    return `The model reads ${other.dim} feature columns of nodes of the type "${other.name}"; map them alike.`;
  if (read.dim === found.dim) return null;
  return `The model reads ${read.dim} feature columns and the graph has ${found.dim}.`;
}
