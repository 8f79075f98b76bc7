import type { DatasetSpec } from "@hopwise/gnn-core/spec";
import { z } from "zod";

/** Feature columns that belong together, because they were made of the same column of a table or of the same matrix. */
export const featureBlock = z.object({
  type: z.string().nullable().describe("The type of node that has them; null: nodes of all types have them"),
  name: z.string().describe("The column of kinds or of lists that they were made of; empty: numbers"),
  made: z
    .enum(["numbers", "kinds", "indices"])
    .describe(
      "numbers: as the files have them; kinds: a column of 0 and 1 for each value; indices: one for each index that lists name",
    ),
  dim: z.number().int().nonnegative(),
  columns: z
    .array(z.string())
    .nullable()
    .describe("What its columns are called, or the values of kinds; null: no names"),
});
export type FeatureBlock = z.infer<typeof featureBlock>;

/** Features of a graph, as its ingest counted them */
export interface CountedFeatures {
  readonly kind: "none" | "dense" | "csr";
  readonly dim: number;
  readonly types?: readonly { readonly name: string; readonly dim: number }[] | undefined;
  readonly oneHot?: readonly { readonly name: string; readonly values: readonly string[] }[] | undefined;
}

/**
 * The blocks of a graph's features in the order of their columns, type after type: kinds, numbers, lists of indices.
 *
 * @param mapping how the files became the graph; null: of a form that this release does not read
 * @returns null: nothing but their number is known
 */
export function featureBlocks(mapping: DatasetSpec | null, features: CountedFeatures): FeatureBlock[] | null {
  const { kind, dim, types } = features;
  if (kind === "none") return [];
  if (mapping === null) return null;
  if (mapping.tu) return tuBlocks(features);
  const kinds = new KindsInOrder(features);
  if (types && mapping.nodeTypes) {
    return types.flatMap((type) =>
      tableBlocks({ type: type.name, dim: type.dim, nodes: mapping.nodeTypes?.[type.name] ?? null, kinds }),
    );
  }
  return tableBlocks({ type: null, dim, nodes: mapping.nodes, kinds });
}

/** The values of columns of kinds, which stand in one list, table after table; `kind` of atoms is `atom.kind` there. */
class KindsInOrder {
  readonly #left: { readonly name: string; readonly values: readonly string[] }[];

  constructor({ oneHot = [] }: CountedFeatures) {
    this.#left = [...oneHot];
  }

  /** None of a table without rows, which is not in the list */
  next(type: string | null, column: string): string[] {
    const isNext = this.#left[0]?.name === (type === null ? column : `${type}.${column}`);
    return isNext ? [...(this.#left.shift()?.values ?? [])] : [];
  }
}

/** Labels of nodes are kinds there, and attributes are numbers. */
function tuBlocks({ dim, oneHot = [] }: CountedFeatures): FeatureBlock[] {
  const kinds = oneHot.map(({ name, values }) => kindsBlock(null, name, [...values]));
  const numNumbers = dim - sum(kinds);
  const attributes = Array.from({ length: numNumbers }, (_, i) => `attribute${i + 1}`);
  return [...kinds, numbersBlock(null, numNumbers, attributes)].filter((block) => block.dim > 0);
}

interface Table {
  /** Type of its nodes; null: no type has columns of its own */
  readonly type: string | null;
  readonly dim: number;
  readonly nodes: DatasetSpec["nodes"];
  readonly kinds: KindsInOrder;
}

function tableBlocks({ type, dim, nodes, kinds: inOrder }: Table): FeatureBlock[] {
  const chosen = nodes?.features;
  if (!chosen || !("columns" in chosen)) return dim > 0 ? [numbersBlock(type, dim, null)] : [];
  const { columns, widths, missing, oneHot = [], multiHot } = chosen;
  const kinds = oneHot.map((column) => kindsBlock(type, column, inOrder.next(type, column)));
  let numNumbers = 0;
  const names = columns.flatMap((column) => {
    const width = Object.hasOwn(widths, column) ? (widths[column] as number) : null;
    const isMarked = Object.hasOwn(missing, column) && missing[column]?.indicator === true;
    numNumbers += (width ?? 1) + (isMarked ? 1 : 0);
    const name = behindType(type, width === null ? column : `${column}[${width}]`);
    return isMarked ? [name, `${name} is missing`] : [name];
  });
  const numbers = names.length > 0 ? [numbersBlock(type, numNumbers, names)] : [];
  if (multiHot === undefined) return [...kinds, ...numbers];
  const numListed = dim - numNumbers - sum(kinds);
  return [...kinds, ...numbers, { type, name: multiHot, made: "indices", dim: numListed, columns: null }];
}

function sum(blocks: readonly FeatureBlock[]): number {
  return blocks.reduce((all, { dim }) => all + dim, 0);
}

function behindType(type: string | null, column: string): string {
  return type === null ? column : `${type}.${column}`;
}

function kindsBlock(type: string | null, name: string, columns: string[]): FeatureBlock {
  return { type, name, made: "kinds", dim: columns.length, columns };
}

function numbersBlock(type: string | null, dim: number, columns: string[] | null): FeatureBlock {
  return { type, name: "", made: "numbers", dim, columns };
}

/** Whether two blocks were made of the same columns of the same table, whatever its rows are. */
export function areAlike(a: FeatureBlock, b: FeatureBlock): boolean {
  return a.type === b.type && a.name === b.name && a.made === b.made;
}

/** Whether blocks can be those of as many columns as features have: an uploaded card says both. */
export function areBlocksOf(blocks: readonly FeatureBlock[], dim: number): boolean {
  const areWhole = blocks.every(
    ({ made, dim: own, columns }) =>
      made !== "kinds" || (columns?.length === own && new Set(columns).size === columns.length),
  );
  const areApart = blocks.every((block, i) => !blocks.slice(0, i).some((earlier) => areAlike(earlier, block)));
  return areWhole && areApart && sum(blocks) === dim;
}

/**
 * Names of all columns in their order, where all have one: `label=C` of kinds, `paper.year` of a type's own, `vec[128]`
 * of vectors and lists.
 */
export function featureColumns(blocks: readonly FeatureBlock[] | null): string[] | null {
  const names = (blocks ?? []).map(({ type, name, made, dim, columns }) => {
    if (made === "kinds") return (columns ?? []).map((value) => `${behindType(type, name)}=${value}`);
    return made === "indices" ? [`${behindType(type, name)}[${dim}]`] : columns;
  });
  return names.includes(null) || names.flat().length === 0 ? null : (names.flat() as string[]);
}
