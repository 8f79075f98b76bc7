/** First bytes of files that people send and no reader takes, in words; the preview knows some more. */
const foreign: readonly (readonly [magic: string, what: string])[] = [
  ["%PDF", "a PDF document"],
  ["\x89PNG", "a picture"],
  ["\xff\xd8\xff", "a picture"],
  ["GIF8", "a picture"],
  ["ARROW1", "an Arrow or Feather file: write it as Parquet"],
  ["\x80\x02", "a Python pickle: write its tables as Parquet, its arrays with numpy.save"],
  ["\x80\x03", "a Python pickle: write its tables as Parquet, its arrays with numpy.save"],
  ["\x80\x04", "a Python pickle: write its tables as Parquet, its arrays with numpy.save"],
  ["\x80\x05", "a Python pickle: write its tables as Parquet, its arrays with numpy.save"],
  ["\xd0\xcf\x11\xe0", "an Excel workbook of before 2007, or a protected one: save it as .xlsx, without a password"],
  ["7z\xbc\xaf", "a 7-Zip archive: unpack it first"],
  ["Rar!", "a RAR archive: unpack it first"],
  ["\xfd7zXZ", "packed with xz: unpack it, or pack it with gzip: xz -dc FILE | gzip > FILE.gz"],
];
const sampledBytes = 4096;

/** Why a file need not be sent at all, as a sentence; null when it may be of use. */
export async function fileObjection(file: File): Promise<string | null> {
  if (file.size === 0) return "The file is empty.";
  const bytes = new Uint8Array(await file.slice(0, sampledBytes).arrayBuffer());
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  const what = foreign.find(([magic]) => text.startsWith(magic))?.[1] ?? documentOf(text);
  return what === undefined ? null : `No reader takes it: it is ${what}.`;
}

/** A zip archive whose first member says what it is. */
function documentOf(text: string): string | undefined {
  if (!text.startsWith("PK\x03\x04") || !text.startsWith("mimetypeapplication/vnd.oasis.opendocument", 30))
    return undefined;
  return "an OpenDocument file: save the sheet as .xlsx or CSV";
}
