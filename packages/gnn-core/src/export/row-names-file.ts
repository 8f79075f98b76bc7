import { join } from "node:path";
import { IdIndex } from "../io/ingest/id-index.ts";
import { writeIds } from "../io/ingest/write-ids.ts";
import type { ArtifactDir } from "../io/manifest.ts";
import { type WrittenArray, writeNpy } from "../io/npy.ts";
import { mapNpy } from "../io/npy-map.ts";
import type { RowNames, RowsOf } from "../spec/row-names.ts";
import { idTexts, openIds } from "./node-ids.ts";
import { nodeNames } from "./node-names.ts";

/** Files of a `model` artifact that say whose the rows are; they lie beside its others. */
const filesOf = (rows: RowsOf) => ({
  numbers: `rows_of_${rows}.ids.npy`,
  offsets: `rows_of_${rows}.id_offsets.npy`,
  bytes: `rows_of_${rows}.id_bytes.npy`,
  types: `rows_of_${rows}.type.npy`,
});

/**
 * Writes whose the learned rows of a model are, row by row: the id as a number or a text, and the type where nodes have
 * types. So they are known when the graph is not stored any more.
 *
 * @param nodes NodeIndex of each row
 */
export async function writeRowNames(
  outDir: string,
  rows: RowsOf,
  graph: ArtifactDir,
  nodes: Int32Array,
): Promise<{ readonly names: RowNames; readonly blobs: WrittenArray[] }> {
  const { idType, nodeTypes, typeOf, idOf } = nodeNames(graph);
  const files = filesOf(rows);
  const ids = { size: nodes.length, isInt64: idType === "int64", ids: () => eachOf(nodes, idOf) };
  const blobs = await writeIds(outDir, ids, files);
  if (nodeTypes.length > 0) {
    const name = files.types;
    await writeNpy(join(outDir, name), "int32", [nodes.length], nodes.map(typeOf));
    blobs.push({ name, dtype: "int32", shape: [nodes.length] });
  }
  return { names: { count: nodes.length, idType, nodeTypes: [...nodeTypes] }, blobs };
}

function* eachOf(nodes: Int32Array, idOf: (node: number) => string): Generator<string> {
  for (const node of nodes) yield idOf(node);
}

const idsPerRead = 65_536;
/** Stands for a type that is not known, and for that of nodes without types */
const noType = "";

/** Learned rows by the ids of their nodes. */
export class RowsByName {
  readonly #tables = new Map<string, { readonly ids: IdIndex; readonly rows: number[] }>();

  /** @param modelDir folder of the `model` artifact that says whose the rows are */
  static async open(modelDir: string, rows: RowsOf, { count, idType, nodeTypes }: RowNames): Promise<RowsByName> {
    const files = filesOf(rows);
    const types = nodeTypes.length > 0 ? mapNpy(join(modelDir, files.types), "int32").values : null;
    const found = new RowsByName();
    const ids = await openIds(modelDir, idType, files);
    try {
      for (let first = 0; first < count; first += idsPerRead) {
        const batch = idTexts(await ids.read(first, Math.min(idsPerRead, count - first)));
        for (const [i, id] of batch.entries()) found.#add(id, nodeTypes[types?.[first + i] ?? -1] ?? noType, first + i);
      }
    } finally {
      await ids.close();
    }
    return found;
  }

  /** The row of a node, −1: the model has none. @param type its name; null: it is not known, or nodes have none */
  rowOf(id: string, type: string | null): number {
    const table = this.#tables.get(type ?? noType);
    const at = table ? table.ids.indexOf(id) : -1;
    return at < 0 ? -1 : (table?.rows[at] as number);
  }

  #add(id: string, type: string, row: number): void {
    const table = this.#tables.get(type) ?? { ids: new IdIndex(), rows: [] };
    this.#tables.set(type, table);
    if (table.ids.addNew(id)) table.rows.push(row);
  }
}
