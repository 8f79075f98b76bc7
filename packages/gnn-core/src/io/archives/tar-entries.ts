import { invalidArchive } from "./archive.ts";
import type { TarBytes } from "./tar-bytes.ts";
import { paxRecords, type TarHeader, tarBlock, tarHeader, tarText } from "./tar-header.ts";

/** A member that is a file or, where `kind` says so, something else. */
export interface TarEntry {
  readonly name: string;
  readonly kind: "file" | "folder" | "other";
  /** Where its bytes begin */
  readonly position: number;
  readonly bytes: number;
  /** What is wrong with one of another kind, as a clause that begins with its name */
  readonly problem: string | null;
}

/** What an extended header may come to, such as a path */
const mostExtended = 65_536;

/** Why an archive cannot be walked through; it is to be packed again. */
export class DamagedTar extends Error {}

/** What blocks before a member say of it, in place of its own header. */
interface Said {
  readonly name: string | null;
  readonly linkName: string | null;
  readonly size: number | null;
  readonly isSparse: boolean;
}

const nothing: Said = { name: null, linkName: null, size: null, isSparse: false };

/**
 * The members of a tar archive in their order, headers of which each has a checksum; behind the last stand two blocks
 * of zeros, and nothing but zeros.
 *
 * @param onBlock is told how far the archive has been read, and may throw
 * @throws DamagedTar, and GnnError of what is said of a member and not understood
 */
export async function* tarEntries(
  bytes: TarBytes,
  archive: string,
  onBlock: (position: number) => void,
): AsyncGenerator<TarEntry, void, undefined> {
  let position = 0;
  let said = nothing;
  let last = "its first member";
  for (;;) {
    const block = await bytes.at(position, tarBlock);
    if (block.length < tarBlock) throw new DamagedTar(`it ends behind ${last}, without its closing blocks of zeros`);
    if (isZero(block)) return assertEnd(bytes, position, onBlock);
    const header = tarHeader(block);
    if (!header) throw new DamagedTar(`the header behind ${last}, at byte ${position}, does not have its checksum`);
    const size = sizeOf(header, said);
    const start = position + tarBlock;
    if (!Number.isSafeInteger(size)) throw new DamagedTar(`the size of the member at byte ${position} is no number`);
    position = start + Math.ceil(size / tarBlock) * tarBlock;
    if (isOfNext(header.type)) {
      if (size > mostExtended) throw new DamagedTar(`the extended header at byte ${start} has ${size} bytes`);
      said = saidBy(header, said, await bytes.at(start, size), start);
      continue;
    }
    const entry = entryOf(header, said, start, size);
    if (size > 0 && (await bytes.at(start + size - 1, 1)).length === 0)
      throw new DamagedTar(`it ends within ${entry.name}`);
    onBlock(position);
    yield entry;
    last = entry.name;
    said = nothing;
  }

  function saidBy(header: TarHeader, before: Said, content: Buffer, at: number): Said {
    if (header.type === "L") return { ...before, name: withoutEnd(content) };
    if (header.type === "K") return { ...before, linkName: withoutEnd(content) };
    const records = paxRecords(content);
    if (!records) throw new DamagedTar(`the extended header at byte ${at} is no list of names and values`);
    const isSparse = [...records.keys()].some((name) => name.startsWith("GNU.sparse"));
    const size = records.get("size");
    if (header.type === "g") {
      if (isSparse || size !== undefined || records.has("path"))
        throw invalidArchive(
          archive,
          "it has a path or a size that is to count for all its members; pack it with GNU tar",
        );
      return before;
    }
    return {
      name: records.get("path") ?? before.name,
      linkName: records.get("linkpath") ?? before.linkName,
      size: size === undefined ? before.size : /^\d+$/.test(size) ? Number(size) : Number.NaN,
      isSparse: before.isSparse || isSparse,
    };
  }
}

/** Folders, links and devices have no bytes, whatever they say. */
function sizeOf({ type, size }: TarHeader, said: Said): number {
  if (/[1-6]/.test(type)) return 0;
  return isOfNext(type) ? size : (said.size ?? size);
}

function isOfNext(type: string): boolean {
  return type === "x" || type === "g" || type === "L" || type === "K";
}

function isZero(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0);
}

function withoutEnd(content: Buffer): string {
  const end = content.indexOf(0);
  return tarText(end < 0 ? content : content.subarray(0, end));
}

const pieceBytes = 1 << 20;

/** What follows is zeros; another archive behind the first would be passed over in silence. */
async function assertEnd(bytes: TarBytes, end: number, onBlock: (position: number) => void): Promise<void> {
  for (let position = end; ; position += pieceBytes) {
    const piece = await bytes.at(position, pieceBytes);
    if (!isZero(piece)) throw new DamagedTar("more follows behind its end, as if archives had been joined by cat");
    onBlock(position + piece.length);
    if (piece.length < pieceBytes) return;
  }
}

/** What types of members are called that are no files. */
const others: Readonly<Record<string, string>> = {
  "1": "a link",
  "2": "a link",
  "3": "a device",
  "4": "a device",
  "6": "a pipe",
  M: "a part of a file whose beginning is in another archive",
  S: "a file with holes",
};

function entryOf(header: TarHeader, said: Said, position: number, bytes: number): TarEntry {
  const path = said.name ?? header.name;
  const name = plainPath(path);
  const isFile = header.type === "0" || header.type === "7";
  if (header.type === "5" || header.type === "V" || (isFile && path.endsWith("/")))
    return { name, kind: "folder", position, bytes, problem: null };
  if (isFile && !said.isSparse) return { name, kind: "file", position, bytes, problem: null };
  const what = said.isSparse ? others["S"]! : (others[header.type] ?? `of a type that is not known ("${header.type}")`);
  return { name, kind: "other", position, bytes, problem: `${name} is ${what}${adviceFor(header, said)}` };
}

/** `./data//edges.csv` → `data/edges.csv` */
function plainPath(path: string): string {
  const parts = path.split("/");
  return parts.filter((part, i) => part !== "." && (part !== "" || i === 0)).join("/");
}

function adviceFor({ type, linkName }: TarHeader, said: Said): string {
  const advice = "; expected files alone. Pack it";
  if (type === "1" || type === "2")
    return ` to ${said.linkName ?? linkName}${advice} with tar --dereference --hard-dereference`;
  return said.isSparse || type === "S" ? `${advice} without --sparse` : `${advice} without it`;
}
