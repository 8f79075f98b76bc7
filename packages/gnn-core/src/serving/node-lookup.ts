import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { isCanonicalInt64 } from "../io/ingest/canonical-int64.ts";
import { graphInfo } from "../io/ingest/ingest-report.ts";
import { int64At, int64Words } from "../io/int64.ts";
import type { ArtifactDir } from "../io/manifest.ts";
import { mapNpy } from "../io/npy-map.ts";

/** How ids lie on disk, and how one is compared with another. */
interface StoredIds {
  readonly count: number;
  textOf(row: number): string;
  hashOf(row: number): number;
  /** The hash of an id that somebody asks for, and whether a row has it; null: no stored id can look like this */
  asked(id: string): { readonly hash: number; isAt(row: number): boolean } | null;
}

/** Rows that are put into the table before others have their turn */
const rowsPerTurn = 65_536;

/**
 * Finds the row of a node by the user's id, and its id by the row. The ids stay in their files; beside them is a table
 * of 4 bytes for each of 1.5 to 3 places per node, so that ten million nodes take 64 MiB.
 */
export class NodeLookup {
  readonly #ids: StoredIds;
  /** Rows by the hash of their ids, −1 where none is; the next free place takes what finds its own taken. */
  readonly #slots: Int32Array;

  private constructor(ids: StoredIds) {
    this.#ids = ids;
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(Math.max(2, 1.5 * ids.count)))).fill(-1);
  }

  /** @param graph whose ids lie in `nodes/ids` */
  static async open(graph: ArtifactDir): Promise<NodeLookup> {
    const { idType } = graphInfo.parse(graph.manifest.info);
    const lookup = new NodeLookup(idType === "int64" ? int64Ids(graph.dir) : textIds(graph.dir));
    for (let row = 0; row < lookup.numNodes; row++) {
      lookup.#put(row);
      if (row % rowsPerTurn === rowsPerTurn - 1) await nextTurn();
    }
    return lookup;
  }

  get numNodes(): number {
    return this.#ids.count;
  }

  get bytes(): number {
    return this.#slots.byteLength;
  }

  idAt(row: number): string {
    return this.#ids.textOf(row);
  }

  /** The row of an id, or −1. */
  rowOf(id: string): number {
    const asked = this.#ids.asked(id);
    if (!asked) return -1;
    const mask = this.#slots.length - 1;
    for (let at = asked.hash & mask; ; at = (at + 1) & mask) {
      const row = this.#slots[at]!;
      if (row < 0 || asked.isAt(row)) return row;
    }
  }

  #put(row: number): void {
    const mask = this.#slots.length - 1;
    let at = this.#ids.hashOf(row) & mask;
    while (this.#slots[at]! >= 0) at = (at + 1) & mask;
    this.#slots[at] = row;
  }
}

function int64Ids(dir: string): StoredIds {
  const { values } = mapNpy(join(dir, "nodes/ids.npy"), "int64");
  const words = int64Words(values);
  return {
    count: values.length,
    textOf: (row) => values[row]!.toString(),
    hashOf: (row) => mixed(words[2 * row]!, words[2 * row + 1]!),
    asked: (id) => {
      if (!isCanonicalInt64(id)) return null;
      const [low, high] = int64Words(BigInt64Array.of(BigInt(id)));
      const isAt = (row: number) => words[2 * row] === low && words[2 * row + 1] === high;
      return { hash: mixed(low!, high!), isAt };
    },
  };
}

/** The finalizer of MurmurHash3, so that consecutive numbers and multiples of a power of two spread alike. */
function mixed(low: number, high: number): number {
  let hash = low ^ Math.imul(high, 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function textIds(dir: string): StoredIds {
  const offsets = int64Words(mapNpy(join(dir, "nodes/ids/offsets.npy"), "int64").values);
  const { values } = mapNpy(join(dir, "nodes/ids/bytes.npy"), "uint8");
  const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  const start = (row: number) => int64At(offsets, row);
  return {
    count: offsets.length / 2 - 1,
    textOf: (row) => bytes.toString("utf8", start(row), start(row + 1)),
    hashOf: (row) => hashBytes(bytes, start(row), start(row + 1)),
    asked: (id) => {
      const wanted = Buffer.from(id);
      return {
        hash: hashBytes(wanted, 0, wanted.length),
        isAt: (row) => wanted.compare(bytes, start(row), start(row + 1)) === 0,
      };
    },
  };
}

/** FNV-1a, mixed once more for its low bits. */
function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
  return mixed(hash, 0);
}
