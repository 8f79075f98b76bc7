import { createReadStream } from "node:fs";
import { copyFile } from "node:fs/promises";
import type { Archive, ArchiveMember } from "../archives/archive.ts";
import { openZip } from "../archives/open-zip.ts";
import type { CellValue } from "../hdf5/table-cells.ts";
import type { ReadingLimits } from "../limits/reading-limits.ts";
import type { UploadedFile } from "../uploaded-files.ts";
import { NpyMember } from "./npy-member.ts";

/** Arrays by their names, of an archive of numpy.savez or of files of numpy.save. */
export interface NamedArrays {
  readonly names: readonly string[];
  /** @throws GnnError DATASET_FORMAT_INVALID */
  open(name: string): Promise<NpyMember>;
  /** The bytes of the array as a file of numpy.save */
  memberOf(name: string): ArchiveMember;
  /** The arrays that are not among these, by what they are called in the file. Left out: by their names here */
  untaken?(taken: ReadonlySet<string>): readonly string[];
  /** A table with a row for each node, beside the arrays */
  readonly nodes?: NodeTable;
  /** What arrays are called that are read, where it is not as numpy's are */
  readonly calledThere?: string;
  close(): void;
}

/** A table whose first column names the nodes. */
export interface NodeTable {
  /** Where it lies in the file */
  readonly path: string;
  readonly numRows: number;
  readonly columns: readonly string[];
  /** What of it is left out, in sentences */
  readonly notes: readonly string[];
  /** @param most null: all */
  rows(most: number | null): AsyncGenerator<readonly (readonly CellValue[])[]>;
}

const nameOfMember = (member: string) => member.replace(/\.npy$/, "");

/** The arrays in an archive. @throws GnnError what `openZip` throws */
export async function arraysOfArchive(file: UploadedFile, limits: ReadingLimits): Promise<NamedArrays> {
  const zip: Archive = await openZip(file, limits);
  const members = zip.members.filter(({ name }) => name.endsWith(".npy"));
  return arraysOf(new Map(members.map((member) => [nameOfMember(member.name), { member, file: file.name }])), () =>
    zip.close(),
  );
}

/** The arrays of files, each by what it holds. */
export function arraysOfFiles(files: ReadonlyMap<string, UploadedFile>): NamedArrays {
  const members = [...files].map(([name, file]) => [name, { member: memberOfFile(file), file: file.name }] as const);
  return arraysOf(new Map(members), () => {});
}

/** The arrays of several archives as those of one; of two of a name the first counts. */
export function joinArrays(archives: readonly NamedArrays[]): NamedArrays {
  const holder = (name: string) => archives.find(({ names }) => names.includes(name)) ?? archives[0]!;
  return {
    names: [...new Set(archives.flatMap(({ names }) => names))],
    open: (name) => holder(name).open(name),
    memberOf: (name) => holder(name).memberOf(name),
    close: () => {
      for (const one of archives) one.close();
    },
  };
}

function arraysOf(
  members: ReadonlyMap<string, { readonly member: ArchiveMember; readonly file: string }>,
  close: () => void,
): NamedArrays {
  return {
    names: [...members.keys()],
    open: (name) => NpyMember.open(members.get(name)!.member, members.get(name)!.file),
    memberOf: (name) => members.get(name)!.member,
    close,
  };
}

/** A file of one array, read as if it were a member of an archive. */
function memberOfFile({ name, path, bytes }: UploadedFile): ArchiveMember {
  return {
    name,
    bytes,
    read: () => createReadStream(path),
    unpack: (to) => copyFile(path, to),
  };
}
