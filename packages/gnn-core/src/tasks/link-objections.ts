import type { TaskObjection } from "../components/define-task.ts";
import type { LearnableColumns } from "../io/dataset-labels.ts";
import { splitObjection } from "./edge-split.ts";
import { type LinkOptions, readsAll } from "./link-options.ts";

/** What the options say against each other, and the columns of a dataset against a task on its links. */
export function linksObjection(given: LinkOptions, dataset: LearnableColumns): TaskObjection | null {
  return (
    checkRelations(given, dataset) ??
    checkDecoder(given, dataset) ??
    splitObjection(given.split, dataset.links) ??
    checkNegatives(given, dataset) ??
    checkProducts(given)
  );
}

function checkRelations({ relations, decoder }: LinkOptions, { edges }: LearnableColumns) {
  if (relations === "alike") return null;
  if (["dot", "cosine", "mlp"].includes(decoder.type)) {
    const message = `The decoder ${decoder.type} has no weights of a relation, so it scores a pair the same in each: choose distMult, complEx, transE or rotatE, or the relations alike.`;
    return { option: "decoder", message };
  }
  if (edges === null || edges.type !== null) return null;
  return {
    option: "relations",
    message: "The dataset does not say which relation its edges are of: map a column with it, or choose alike.",
  };
}

function checkNegatives({ keptNegatives, split }: LinkOptions, { edges }: LearnableColumns) {
  const option = "keptNegatives";
  if (keptNegatives === "drawn") return null;
  if (!edges?.negatives) {
    const message = "The dataset has no files of pairs without a link (edges.negatives): map some, or choose drawn.";
    return { option, message };
  }
  if (split.type === "given") return null;
  const message = "Pairs of files stand beside links that the dataset holds out: choose the split given, or drawn.";
  return { option, message };
}

function checkDecoder({ decoder: { type, ...rest }, relations }: LinkOptions, { directed }: LearnableColumns) {
  if (relations === "each") return null;
  const isSymmetric = ["dot", "cosine", "distMult"].includes(type) || ("input" in rest && rest.input === "hadamard");
  if (directed || isSymmetric) return null;
  const message = `The decoder ${type} scores u → v and v → u apart, and the graph is undirected: choose dot, cosine, distMult or mlp with hadamard, or build the graph as a directed one.`;
  return { option: "decoder", message };
}

function checkProducts({ loss, negatives, decoder: { type }, split, disjoint }: LinkOptions) {
  if (loss.type === "infoNce" && loss.cosines && type !== "dot") {
    const message = `Rows whose directions are learnt are ranked by their products, and ${type} scores otherwise: choose dot, or no cosines.`;
    return { option: "loss", message };
  }
  const isProduct = ["dot", "cosine", "distMult", "complEx"].includes(type);
  if (!readsAll(loss.type)) {
    if (negatives.type !== "shared") return null;
    if (!isProduct) {
      const message = `Scores with shared negatives are one product, which those of ${type} are not: choose dot, cosine, distMult or complEx, or other negatives.`;
      return { option: "decoder", message };
    }
    if (split.type !== "time") return null;
    const message =
      "Links that share negatives have no time in common, as a split by time asks: choose other negatives.";
    return { option: "negatives", message };
  }
  if (!isProduct) {
    const message = `With the loss ${loss.type} scores of all nodes are one product, which those of ${type} are not: choose dot, cosine, distMult or complEx.`;
    return { option: "decoder", message };
  }
  if (loss.type === "kVsAll" && disjoint !== null) {
    const message =
      "The loss kVsAll learns all targets of a source at once, whether their links carry messages or not: choose oneVsAll, or no disjoint links.";
    return { option: "disjoint", message };
  }
  if (split.type !== "time") return null;
  return { option: "loss", message: "Rows of all nodes have no time, as a split by time asks: choose another loss." };
}
