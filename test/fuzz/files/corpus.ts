import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { writeNpzCsr } from "../../../packages/gnn-core/src/io/npz.ts";
import { copyAs } from "../../../packages/gnn-core/test/support/duckdb.ts";

export type Contents = Readonly<Record<string, Uint8Array>>;

/** Small files of every format that can be uploaded, all of one graph. */
export interface Corpus {
  readonly edges: Contents;
  readonly nodes: Contents;
  readonly features: Contents;
}

const numNodes = 40;
const ids = Array.from({ length: numNodes }, (_, i) => (i % 7 === 3 ? `paper ${i}` : String(i)));
const splits = ["train", "train", "val", "test"];

export async function makeCorpus(): Promise<Corpus> {
  const links = ids.flatMap((id, i) => [
    `${id},${ids[(i * 7 + 1) % numNodes]},${i / 8}`,
    `${id},${ids[(i * 3 + 2) % numNodes]},1`,
  ]);
  const edges = `src,dst,weight\n${links.join("\n")}\n`;
  const rows = ids.map((id, i) => `${id},${"abc"[i % 3]},${splits[i % 4]},${i / 3},${-i}`);
  const nodes = `id,label,split,f0,f1\n${rows.join("\n")}\n`;
  const numbered = links.map((_, i) => `${i % numNodes} ${(i * 7 + 1) % numNodes}`).join("\n");
  const dir = mkdtempSync(join(tmpdir(), "hw-corpus-"));
  try {
    await writeNpzCsr(join(dir, "x.npz"), csr());
    return {
      edges: {
        "edges.csv": Buffer.from(edges),
        "edges.tsv": Buffer.from(edges.replaceAll(",", "\t")),
        "edges.csv.gz": gzipSync(edges),
        "edges.csv.zst": await written(
          "csv.zst",
          "SELECT i::INT AS src, (i * 7 + 1) % 40 AS dst, 1.5 AS weight FROM range(80) t(i)",
        ),
        "edges.txt": Buffer.from(`# made up\n${numbered}\n`),
        "edges.parquet": await written(
          "parquet",
          "SELECT i % 40 AS src, (i * 7 + 1) % 40 AS dst, i / 8 AS weight FROM range(80) t(i)",
        ),
      },
      nodes: {
        "nodes.csv": Buffer.from(nodes),
        "nodes.tsv.gz": gzipSync(nodes.replaceAll(",", "\t")),
        "nodes.parquet": await written(
          "parquet",
          "SELECT i AS id, 'c' || (i % 3) AS label, 'train' AS split, i / 3 AS f0, -i AS f1 FROM range(40) t(i)",
        ),
      },
      features: { "features.npz": readFileSync(join(dir, "x.npz")), "features.npy": npy() },
    };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function written(format: "parquet" | "csv.zst", select: string): Promise<Uint8Array> {
  const path = await copyAs(format, select);
  const bytes = readFileSync(path);
  rmSync(dirname(path), { recursive: true });
  return bytes;
}

function csr() {
  const indptr = BigInt64Array.from({ length: numNodes + 1 }, (_, i) => BigInt(i * 2));
  const indices = Int32Array.from({ length: numNodes * 2 }, (_, i) => (i % 2) * 3 + (i % 3));
  return { numRows: numNodes, dim: 6, indptr, indices, data: Float32Array.from(indices, (value) => value / 2) };
}

/** NumPy's format, version 1: magic, length of the header, header, values. */
function npy(): Uint8Array {
  const header = `{'descr': '<f4', 'fortran_order': False, 'shape': (${numNodes}, 3), }`;
  const padded = `${header.padEnd(117)}\n`;
  const values = Float32Array.from({ length: numNodes * 3 }, (_, i) => i / 4);
  const length = Buffer.from([padded.length, 0]);
  return Buffer.concat([
    Buffer.from("\x93NUMPY\x01\x00", "latin1"),
    length,
    Buffer.from(padded),
    Buffer.from(values.buffer),
  ]);
}
