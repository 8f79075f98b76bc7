import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { unzipSync } from "fflate";
import { writeNpzCsr } from "../../../packages/gnn-core/src/io/npz.ts";
import { copyAs } from "../../../packages/gnn-core/test/support/duckdb.ts";
import { cells, workbook } from "../../files/excel-files.ts";

export type Contents = Readonly<Record<string, Uint8Array>>;

/** Small files of every format that can be uploaded, all of one graph. */
export interface Corpus {
  readonly edges: Contents;
  readonly nodes: Contents;
  readonly features: Contents;
  /** Each holds edges and nodes. */
  readonly graphs: Contents;
  /** One graph, in Planetoid's files */
  readonly planetoid: Contents;
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
        "utf-16.csv": Buffer.from(`\ufeff${edges}`, "utf16le"),
        "edges.csv.zst": await written(
          "csv.zst",
          "SELECT i::INT AS src, (i * 7 + 1) % 40 AS dst, 1.5 AS weight FROM range(80) t(i)",
        ),
        "edges.jsonl": Buffer.from(
          numberedEdges(links.length)
            .map(([src, dst, weight]) => `${JSON.stringify({ src, dst, weight })}\n`)
            .join(""),
        ),
        "edges.nt": Buffer.from(links.map((_, i) => `<x:${i % 40}> <x:p> <x:${(i * 7 + 1) % 40}> .\n`).join("")),
        "edges.xlsx": workbook({ sheets: { a: cells(["src", "dst", "weight"], ...numberedEdges(links.length)) } }),
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
      graphs: graphFiles(),
      planetoid: unzipSync(readFileSync(new URL("../../fixtures/planetoid/toy-py2.zip", import.meta.url))),
    };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

const numberedEdges = (count: number) =>
  Array.from({ length: count }, (_, i) => [i % numNodes, (i * 7 + 1) % numNodes, i / 8]);

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

function graphFiles(): Contents {
  const numbers = ids.map((_, i) => i + 1);
  const ends = numbers.map((i) => [i, ((i * 7) % numNodes) + 1] as const);
  const links = ends.map(([source, target]) => ({ source, target, weight: source / 8 }));
  const nodes = numbers.map((id) => ({ id, label: "abc"[id % 3] }));
  const nodeLine = (id: number) => `<node id="${id}" label="n &amp; ${id}"/>`;
  const edgeLine = ([a, b]: readonly [number, number]) => `<edge source="${a}" target="${b}" weight="${a / 8}"/>`;
  const xmlNodes = numbers.map(nodeLine).join("\n");
  const xmlEdges = ends.map(edgeLine).join("\n");
  const gmlNodes = numbers.map((id) => `node [ id ${id} label "n ${id}" graphics [ x 1.5 ] ]`);
  const gmlEdges = ends.map(([a, b]) => `edge [ source ${a} target ${b} weight ${a / 8} ]`);
  const pajek = [
    "*Vertices 40",
    ...numbers.map((id) => `${id} "n ${id}" 0.1`),
    "*Edges",
    ...ends.map((two) => two.join(" ")),
  ];
  return {
    "g.graphml": Buffer.from(`<graphml><graph edgedefault="directed">\n${xmlNodes}\n${xmlEdges}\n</graph></graphml>\n`),
    "g.gexf.gz": gzipSync(`<gexf><graph>\n<nodes>\n${xmlNodes}\n</nodes><edges>\n${xmlEdges}</edges></graph></gexf>\n`),
    "g.gml": Buffer.from(`graph [\n directed 0\n${[...gmlNodes, ...gmlEdges].join("\n")}\n]\n`),
    "g.net": Buffer.from(`${pajek.join("\r\n")}\r\n`),
    "g.json": Buffer.from(JSON.stringify({ directed: true, nodes, links })),
    "g.cyjs": Buffer.from(JSON.stringify({ elements: { nodes: nodes.map((data) => ({ data })), edges: links } })),
  };
}
