import { createHash } from "node:crypto";
import type { ArtifactStore } from "@hopwise/artifacts";
import { AppError, type DatasetSpec, limits } from "@hopwise/contracts";
import type { SourceFile } from "../generated/prisma/client.ts";
import { uploadNumber } from "./upload-number.ts";

/** What a version keeps of a file of the version that it adds to. */
export type CarriedFile = Pick<
  SourceFile,
  "name" | "blobKey" | "bytes" | "sha256" | "source" | "importId" | "carriedFrom"
>;

export interface JoinPlan {
  readonly store: Pick<ArtifactStore, "get" | "put" | "delete">;
  /** How the files are read */
  readonly spec: DatasetSpec;
  /** Where the version's files are stored */
  readonly prefix: string;
  /** Most bytes of a file */
  readonly maxBytes: number;
}

/** From so many files on they are joined: the rest of those that a version may have is for what is added to it. */
export const joinsFrom = limits.filesPerDataset - 16;

/**
 * The files of a version, of which those that the same source has brought one after the other are one: JSON lines,
 * whose rows are those of the single files, in their order, wherever the spec reads them. So a schedule that adds rows
 * every night does not come to the most files that a version may have.
 *
 * @returns the files, in which the first of each run has the rows of all; those of other forms stay as they are
 * @throws AppError ARTIFACT_DAMAGED when a file is not what was stored
 */
export async function joinCarried(plan: JoinPlan, files: readonly CarriedFile[]): Promise<readonly CarriedFile[]> {
  const runs = runsOf(plan, files);
  const joined: CarriedFile[] = [];
  try {
    for (const run of runs) joined.push(await join(plan, run));
  } catch (error) {
    for (const { blobKey } of joined) await plan.store.delete(blobKey);
    throw error;
  }
  const heads = new Map(joined.map((file) => [file.name, file]));
  const gone = new Set(runs.flatMap((run) => run.slice(1)).map(({ name }) => name));
  return files.flatMap((file) => (gone.has(file.name) ? [] : [heads.get(file.name) ?? file]));
}

/** Files that can be one, in the order of their rows. */
function runsOf({ spec, maxBytes }: JoinPlan, files: readonly CarriedFile[]): CarriedFile[][] {
  const inOrder = files.toSorted((a, b) => uploadNumber(a) - uploadNumber(b));
  const taken = new Set<string>();
  return inOrder.flatMap((head) => {
    // `sales-7-2` was counted on from `sales`, and not from `sales-7`.
    if (!/\.(jsonl|ndjson)$/.test(head.name) || taken.has(head.name)) return [];
    const others = inOrder.filter((file) => file.importId !== null && isCountedOn(head.name, file.name));
    let bytes = 0n;
    const run = [head, ...others].filter((file) => (bytes += file.bytes + 1n) <= BigInt(maxBytes));
    const names = run.map(({ name }) => name);
    if (run.length < 2 || run[0] !== head || !isReadInARun(spec, names)) return [];
    for (const name of names) taken.add(name);
    return [run];
  });
}

/** Whether a file was called after another, as `numbered` does: `sales-7.jsonl` and `sales-7-2.jsonl`. */
function isCountedOn(head: string, name: string): boolean {
  const dot = head.indexOf(".", head.lastIndexOf("/") + 1);
  const [stem, ending] = [head.slice(0, dot), head.slice(dot)];
  if (!name.startsWith(`${stem}-`) || !name.endsWith(ending)) return false;
  return /^\d+(-\d+)?$/.test(name.slice(stem.length + 1, name.length - ending.length));
}

/** Whether a spec names these files only together, in this order and with nothing in between. */
export function isReadInARun(part: unknown, names: readonly string[]): boolean {
  if (typeof part === "string") return !names.includes(part);
  if (typeof part !== "object" || part === null) return true;
  if (!Array.isArray(part)) {
    return Object.entries(part).every(([key, value]) => !names.includes(key) && isReadInARun(value, names));
  }
  const start = part.indexOf(names[0]);
  const isWhole = start >= 0 && names.every((name, i) => part[start + i] === name);
  return (isWhole ? part.toSpliced(start, names.length) : part).every((one) => isReadInARun(one, names));
}

/** The spec without files whose rows lie in others. */
export function withoutFiles<T>(part: T, gone: ReadonlySet<string>): T {
  if (Array.isArray(part)) {
    return part.filter((one) => !gone.has(one as string)).map((one) => withoutFiles(one, gone)) as T;
  }
  if (typeof part !== "object" || part === null) return part;
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, withoutFiles(value, gone)])) as T;
}

async function join({ store, prefix }: JoinPlan, run: readonly CarriedFile[]): Promise<CarriedFile> {
  const head = run[0] as CarriedFile;
  const blobKey = `${prefix}/files/${uploadNumber(head)}`;
  const { bytes, sha256 } = await store.put(blobKey, linesOf(store, run));
  return { ...head, blobKey, bytes: BigInt(bytes), sha256 };
}

/** Their bytes one after the other, a line break behind each; what was read is compared with what was stored. */
async function* linesOf(store: JoinPlan["store"], run: readonly CarriedFile[]): AsyncGenerator<Uint8Array> {
  for (const { name, blobKey, sha256 } of run) {
    const hash = createHash("sha256");
    let last = 0;
    for await (const chunk of (await store.get(blobKey)) as AsyncIterable<Uint8Array>) {
      hash.update(chunk);
      last = chunk.at(-1) ?? last;
      yield chunk;
    }
    if (hash.digest("hex") !== sha256) throw changed(name);
    if (last !== lineBreak) yield Uint8Array.of(lineBreak);
  }
}

const lineBreak = 10;

function changed(name: string): AppError {
  return new AppError(
    "ARTIFACT_DAMAGED",
    `The file "${name}" of the version before is not what was stored, so that nothing can be added to it. Upload its rows to a new version, or restore a backup.`,
    { place: { file: name } },
  );
}
