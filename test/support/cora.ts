import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { unzipSync } from "fflate";

/** The development data set beside the project; tests that want it are skipped, visibly, when it is absent. */
export const coraDir = new URL("../../../shared/datasets/cora/", import.meta.url).pathname;
export const coraIsHere = existsSync(`${coraDir}edges.csv.gz`);
export const coraFiles = ["edges.csv.gz", "nodes.csv.gz", "features.npz"] as const;

/** Cora read without any of our code: what the tests hold the service's answers against. */
export interface RawGraph {
  readonly ids: readonly string[];
  readonly rowOf: ReadonlyMap<string, number>;
  readonly labels: readonly string[];
  readonly split: readonly string[];
  /** Neighbours of each row, both directions, without repeats. */
  readonly neighbors: readonly ReadonlySet<number>[];
  readonly dim: number;
  /** Non-zeros of each row as [column, value]. */
  readonly features: readonly (readonly [number, number])[][];
}

export function readCora(): RawGraph {
  const nodes = csv("nodes.csv.gz");
  const ids = nodes.map((row) => row.id ?? "");
  const rowOf = new Map(ids.map((id, row) => [id, row]));
  const neighbors = ids.map(() => new Set<number>());
  for (const { src = "", dst = "" } of csv("edges.csv.gz")) {
    const from = rowOf.get(src) ?? -1;
    const to = rowOf.get(dst) ?? -1;
    if (from === to) continue;
    neighbors[from]?.add(to);
    neighbors[to]?.add(from);
  }
  return {
    ids,
    rowOf,
    labels: nodes.map((row) => row.label ?? ""),
    split: nodes.map((row) => row.split ?? ""),
    neighbors,
    ...sparseFeatures(),
  };
}

/** A csv without quotes or commas in its values, which is what Cora's are. */
function csv(name: string): Record<string, string>[] {
  const [header = "", ...lines] = gunzipSync(readFileSync(coraDir + name))
    .toString("utf8")
    .trim()
    .split(/\r?\n/);
  const columns = header.split(",");
  return lines.map((line) => Object.fromEntries(line.split(",").map((value, i) => [columns[i] ?? "", value])));
}

function sparseFeatures(): Pick<RawGraph, "dim" | "features"> {
  const members = unzipSync(new Uint8Array(readFileSync(`${coraDir}features.npz`)));
  const [numRows = 0, dim = 0] = Array.from(new BigInt64Array(npyBody(members["shape.npy"])), Number);
  const indptr = Array.from(new BigInt64Array(npyBody(members["indptr.npy"])), Number);
  const indices = new Int32Array(npyBody(members["indices.npy"]));
  const data = new Float32Array(npyBody(members["data.npy"]));
  const features = Array.from({ length: numRows }, (_, row) =>
    Array.from({ length: (indptr[row + 1] ?? 0) - (indptr[row] ?? 0) }, (_, k) => {
      const at = (indptr[row] ?? 0) + k;
      return [indices[at] ?? 0, data[at] ?? 0] as const;
    }),
  );
  return { dim, features };
}

/** The data of a version 1 .npy file: a header of the length given at byte 8 comes first. */
export function npyBody(file: Uint8Array | undefined): ArrayBuffer {
  if (!file) throw new Error("the archive lacks a member");
  const start = 10 + new DataView(file.buffer, file.byteOffset).getUint16(8, true);
  return file.slice(start).buffer;
}
