import type { Hdf5Array, Hdf5Group } from "./hdf5-messages.ts";

/** What stands for an array in a file: a data set of it, or what attributes say. */
export type NamedArray =
  | { readonly dataSet: Hdf5Array }
  | { readonly numbers: readonly number[] }
  | { readonly text: string };

const adjacencies = /^(adj|adj_matrix|adjacency|a|graph|connectivities)?$/i;
/** Where AnnData keeps matrices of observations by observations */
const pairsOfAnnData = /^obsp\//;
const featureMatrices = /^(x|feat|features?|attr|attr_matrix|node_feat|node_features)$/i;

/**
 * The arrays by the names that they have in archives of numpy. A data set is called as its last part, where no other
 * is, and by all parts: `nodes/train_mask` and `train/mask` are `train_mask`. A group of compressed rows or columns is
 * the adjacency matrix or the one of features, by its name.
 */
export function namesOf(arrays: readonly Hdf5Array[], groups: readonly Hdf5Group[]): ReadonlyMap<string, NamedArray> {
  const sparse = groups.flatMap((group) => sparseGroup(arrays, group) ?? []);
  const taken = new Set(sparse.flatMap(({ members }) => [...members.values()]));
  const left = arrays.filter((array) => !taken.has(array));
  const names = new Map<string, NamedArray>();
  for (const dataSet of left) {
    const last = lastPart(dataSet.path);
    const isAlone = left.filter(({ path }) => lastPart(path) === last).length === 1;
    if (isAlone && !names.has(last)) names.set(last, { dataSet });
    const whole = dataSet.path.replaceAll("/", "_");
    if (!names.has(whole)) names.set(whole, { dataSet });
  }
  const matrices = sparse.filter(({ name }) => adjacencies.test(name));
  const ofPairs = sparse.filter(({ group }) => pairsOfAnnData.test(group.path));
  const edges = [matrices, ofPairs].find((found) => found.length === 1);
  if (edges) setMatrix(names, edges[0]!, "");
  const dense = names.get("X");
  if (dense && !names.has("x")) names.set("x", dense);
  const features = sparse.filter(({ name, group }) => featureMatrices.test(name) && group.sparse !== "csc");
  if (features.length === 1) setMatrix(names, features[0]!, "attr_");
  return names;
}

interface SparseGroup {
  readonly name: string;
  readonly group: Hdf5Group;
  /** `indptr`, `indices`, and where there are such `data`, `shape` and `format` */
  readonly members: ReadonlyMap<string, Hdf5Array>;
}

const parts = ["indptr", "indices", "data", "shape", "format"];

function sparseGroup(arrays: readonly Hdf5Array[], group: Hdf5Group): SparseGroup | null {
  const members = new Map<string, Hdf5Array>();
  const folder = group.path === "/" ? "" : `${group.path}/`;
  for (const array of arrays) for (const part of parts) if (array.path === `${folder}${part}`) members.set(part, array);
  const name = group.path === "/" ? "" : lastPart(group.path);
  return members.has("indptr") && members.has("indices") ? { name, group, members } : null;
}

function setMatrix(names: Map<string, NamedArray>, { group, members }: SparseGroup, prefix: string): void {
  for (const [part, dataSet] of members) names.set(`${prefix}${part}`, { dataSet });
  const rows = (members.get("indptr")!.shape[0] ?? 1) - 1;
  const shape = group.shape ?? (prefix === "" ? [rows, rows] : null);
  if (!members.has("shape") && shape !== null) names.set(`${prefix}shape`, { numbers: shape });
  if (!members.has("format") || group.sparse !== null) names.set(`${prefix}format`, { text: group.sparse ?? "csr" });
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
