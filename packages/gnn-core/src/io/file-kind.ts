import { tarHeader } from "./archives/tar-header.ts";
import { isNTriples } from "./rdf/is-n-triples.ts";
import { compressionOf, firstBytes } from "./text-file.ts";

/** What the first bytes of a file say it is. */
export type FileKind =
  | {
      readonly kind:
        | "text"
        | "json"
        | "xml"
        | "parquet"
        | "npy"
        | "npz"
        | "xlsx"
        | "zip"
        | "tar"
        | "bzip2"
        | "packed"
        | "sqlite"
        | "duckdb"
        | "hdf5"
        | "mat";
    }
  /** Something no reader takes, in words. */
  | { readonly kind: "foreign"; readonly what: string };

const sampled = 8192;

/** A line of Python that writes two rows of ids as a table of edges. */
const savedEdges = (ends: string) =>
  `numpy.savetxt("edges.csv", numpy.stack(${ends}, 1), "%d", ",", header="src,dst", comments="")`;

const ofDgl =
  "a graph that DGL saved: load it with dgl.load_graphs(path)[0][0] and write its edges with " +
  `${savedEdges("g.edges()")}, its features with numpy.save("x.npy", g.ndata["feat"])`;
const ofTorch =
  "a file of torch.save, which is a program: load it with torch.load where you trust it and write the edges with " +
  `${savedEdges("data.edge_index")}, the features with numpy.save("x.npy", data.x)`;
const ofPostgres =
  "a dump of PostgreSQL: restore it and write tables with \\copy (SELECT …) TO 'edges.csv' WITH (FORMAT csv, HEADER)";

const packedHdf5 =
  "an HDF5 file that is packed with gzip: unpack it first. Its data sets can be packed themselves, which h5repack -f GZIP=6 does";

const ofPickle =
  "a Python pickle, which is a program: write its arrays with numpy.save, its tables as Parquet. " +
  "Files of Planetoid are read where all are there: ind.NAME.x, .y, .tx, .ty, .allx, .ally, .graph and .test.index";

const foreign: readonly (readonly [magic: string, what: string])[] = [
  ["%PDF", "a PDF document"],
  ["\x89PNG", "a picture"],
  ["\xff\xd8\xff", "a picture"],
  ["GIF8", "a picture"],
  ["ARROW1", "an Arrow or Feather file: write it as Parquet"],
  ["\x80\x04", ofPickle],
  ["\x80\x05", ofPickle],
  ["\x3f\xa1\xb4\x46\xf0\x4f\x2e\xdd", ofDgl],
  ["PGDMP", ofPostgres],
  ["\xd0\xcf\x11\xe0", "an Excel workbook of before 2007, or a protected one: save it as .xlsx, without a password"],
  ["\x80\x02", ofPickle],
  ["\x80\x03", ofPickle],
  ["RDX2\nX\n", "a workspace of R: write its tables with write.csv(table, file, row.names = FALSE)"],
  ["RDX3\nX\n", "a workspace of R: write its tables with write.csv(table, file, row.names = FALSE)"],
  ["7z\xbc\xaf", "a 7-Zip archive: unpack it first"],
  ["Rar!", "a RAR archive: unpack it first"],
  ["\xfd7zXZ", "packed with xz: unpack it, or pack it with gzip: xz -dc FILE | gzip > FILE.gz"],
  ["\xff\xfe\0\0", "text in UTF-32: save it as UTF-8"],
  ["\0\0\xfe\xff", "text in UTF-32: save it as UTF-8"],
];

/** Behind the size of blocks: of a block, and of the end where there is none */
const bzip2Magic = ["1AY&SY", "\x17rE8P\x90"];

/** The end of a directory, before which there is no file. */
const emptyZip = "PK\x05\x06";

/** Blocks of the user may stand before it, as MATLAB has one; the library looks there too. */
const hdf5Magic = { behind: [512, 1024, 2048, 4096], text: "\x89HDF\r\n\x1a\n" };
/** A checksum of its first block stands before it. */
const duckdbMagic = { at: 8, text: "DUCK" };
/** Such a header follows the name of the first file in it, since 1988. */
const tarMagic = { at: 257, text: "ustar" };

/** Looks at the first bytes, since names can be wrong; of a gzipped file, at what is packed in it. */
export async function fileKindOf(path: string): Promise<FileKind> {
  const found = kindOf(await firstBytes(path, "none", sampled));
  if (found.kind !== "packed" || (await compressionOf(path)) !== "gzip") return found;
  // What cannot be unpacked has an error of its own, which the reader of its ending gives.
  const inside = await firstBytes(path, "gzip", sampled).then(kindOf, () => found);
  if (["text", "json", "xml", "tar"].includes(inside.kind)) return inside;
  if (inside.kind === "hdf5") return { kind: "foreign", what: packedHdf5 };
  return inside.kind === "foreign" ? { kind: "foreign", what: `packed with gzip and holds ${inside.what}` } : found;
}

function kindOf(bytes: Buffer): FileKind {
  const text = bytes.toString("latin1");
  if (text.startsWith("SQLite format 3\0")) return { kind: "sqlite" };
  if (text.startsWith(hdf5Magic.text)) return { kind: "hdf5" };
  if (text.startsWith("MATLAB 5.0 MAT-file")) return { kind: "mat" };
  if (text.startsWith("PAR1")) return { kind: "parquet" };
  if (text.startsWith("\x93NUMPY")) return { kind: "npy" };
  if (text.startsWith("PK\x03\x04")) return zipKind(text);
  if (text.startsWith(emptyZip)) return { kind: "zip" };
  if (text.startsWith("\x1f\x8b") || text.startsWith("\x28\xb5\x2f\xfd")) return { kind: "packed" };
  if (text.startsWith("BZh") && bzip2Magic.includes(text.slice(4, 10))) return { kind: "bzip2" };
  const known = foreign.find(([magic]) => text.startsWith(magic));
  if (known) return { kind: "foreign", what: known[1] };
  if (tarHeader(bytes) !== null || text.startsWith(tarMagic.text, tarMagic.at)) return { kind: "tar" };
  if (text.startsWith(duckdbMagic.text, duckdbMagic.at) && text.includes("\0")) return { kind: "duckdb" };
  // The first member of a tar archive begins there as well.
  if (hdf5Magic.behind.some((at) => text.startsWith(hdf5Magic.text, at))) return { kind: "hdf5" };
  const first = text.replace(/^\xef\xbb\xbf/, "").trimStart()[0];
  if (first === "{" || first === "[") return { kind: "json" };
  // In N-Triples and Turtle, addresses stand between such brackets.
  if (first === "<" && !isNTriples(text) && !/^\s*<[^>\s]+:[^>\s]*>\s+([<a]|\w*:)/.test(text)) return { kind: "xml" };
  return { kind: "text" };
}

/** By the name of its first member: numpy's archives hold `.npy` files, those of Office a list of their parts. */
function zipKind(text: string): FileKind {
  if (/data\.pkl|\.data\/serialization_id/.test(text)) return { kind: "foreign", what: ofTorch };
  const nameLength = text.charCodeAt(26) | (text.charCodeAt(27) << 8);
  const name = text.slice(30, 30 + nameLength);
  if (/^(\[Content_Types\]\.xml$|(xl|_rels|docProps)\/)/.test(name)) return { kind: "xlsx" };
  if (text.startsWith("mimetypeapplication/vnd.oasis.opendocument", 30))
    return { kind: "foreign", what: "an OpenDocument file: save the sheet as .xlsx or CSV" };
  return { kind: name.endsWith(".npy") || name === "" ? "npz" : "zip" };
}
