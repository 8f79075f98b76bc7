import { open } from "node:fs/promises";

/** What the first bytes of a file say it is. */
export type FileKind =
  | { readonly kind: "text" | "json" | "xml" | "parquet" | "npy" | "npz" | "packed" }
  /** Something no reader takes, in words. */
  | { readonly kind: "foreign"; readonly what: string };

const sampled = 8192;

const foreign: readonly (readonly [magic: string, what: string])[] = [
  ["%PDF", "a PDF document"],
  ["\x89PNG", "a picture"],
  ["\xff\xd8\xff", "a picture"],
  ["GIF8", "a picture"],
  ["ARROW1", "an Arrow or Feather file: write it as Parquet"],
  ["SQLite format 3", "an SQLite database: export its tables as CSV or Parquet"],
  ["\x89HDF", "an HDF5 file: write its arrays with numpy.save, its tables as CSV or Parquet"],
  ["\x80\x04", "a Python pickle, which is a program: write its arrays with numpy.save, its tables as Parquet"],
  ["\x80\x05", "a Python pickle, which is a program: write its arrays with numpy.save, its tables as Parquet"],
  ["\xd0\xcf\x11\xe0", "an old Excel workbook: save the sheet as CSV"],
  ["7z\xbc\xaf", "a 7-Zip archive: unpack it first"],
  ["Rar!", "a RAR archive: unpack it first"],
];

/** Looks at the first bytes, since names can be wrong. */
export async function fileKindOf(path: string): Promise<FileKind> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(sampled), 0, sampled, 0);
    return kindOf(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

function kindOf(bytes: Buffer): FileKind {
  const text = bytes.toString("latin1");
  if (text.startsWith("PAR1")) return { kind: "parquet" };
  if (text.startsWith("\x93NUMPY")) return { kind: "npy" };
  if (text.startsWith("PK\x03\x04")) return zipKind(text);
  if (text.startsWith("\x1f\x8b") || text.startsWith("\x28\xb5\x2f\xfd")) return { kind: "packed" };
  const known = foreign.find(([magic]) => text.startsWith(magic));
  if (known) return { kind: "foreign", what: known[1] };
  const first = text.replace(/^\xef\xbb\xbf/, "").trimStart()[0];
  if (first === "{" || first === "[") return { kind: "json" };
  if (first === "<") return { kind: "xml" };
  return { kind: "text" };
}

/** By the names of its members: numpy's archives hold `.npy` files. */
function zipKind(text: string): FileKind {
  if (/\[Content_Types\]\.xml|xl\/|_rels\/|docProps\//.test(text))
    return { kind: "foreign", what: "an Excel workbook or another Office document: save the sheet as CSV" };
  const nameLength = text.charCodeAt(26) | (text.charCodeAt(27) << 8);
  const name = text.slice(30, 30 + nameLength);
  return name.endsWith(".npy") || name === ""
    ? { kind: "npz" }
    : { kind: "foreign", what: "a zip archive: unpack it first" };
}
