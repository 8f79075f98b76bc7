import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { Readable, type Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { type GnnErrorCode, gnnErrorCodes } from "../errors/codes.ts";
import { GnnError } from "../errors/gnn-error.ts";
import { outOfMemoryKills } from "../host/out-of-memory-kills.ts";
import { type MetisLevel, type MetisUsage, metisLevel, metisUsage } from "./metis-levels.ts";
import type { Adjacency } from "./partitioner.ts";

export interface MetisRun {
  readonly graph: Adjacency;
  /** int32 [numNodes * numConstraints], row-major */
  readonly nodeWeights: Int32Array;
  readonly numConstraints: number;
  readonly numParts: number;
  readonly method: "kway" | "recursive";
  readonly objective: "cut" | "volume";
  readonly seed: number;
  /** Called with the id of the process once it runs */
  readonly onStart?: (pid: number) => void;
  /** Called on every level that METIS reports */
  readonly onLevel?: (level: MetisLevel) => void;
  /** Called when it has its parts */
  readonly onUsage?: (usage: MetisUsage) => void;
  readonly signal: AbortSignal;
}

// src/partition and dist/partition lie equally deep. The program is built beside the native library.
const program = fileURLToPath(new URL("../../build/hopwise-metis", import.meta.url));
const chunkBytes = 2 ** 24;

type MetisChild = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * Runs METIS in a process of its own (`native/process/metis_process.cc`): when it crashes or is killed, an error is all
 * that is left of it. Aborting ends it at once, and it ends with this process. The same parts as METIS in this process.
 *
 * @returns int32 [numNodes], the part of each node
 * @throws GnnError PARTITION_TOO_LARGE when memory runs out, PARTITION_FAILED when METIS fails, crashes or is killed,
 * NATIVE_NOT_BUILT; the reason of `signal`
 */
export async function runMetis(run: MetisRun): Promise<Int32Array> {
  const { graph, signal } = run;
  signal.throwIfAborted();
  const killsBefore = outOfMemoryKills();
  const child = spawn(program, [String(process.pid)], { stdio: ["pipe", "pipe", "pipe", "pipe"] }) as MetisChild;
  const kill = () => child.kill("SIGKILL");
  signal.addEventListener("abort", kill, { once: true });
  try {
    const ended = endOf(child);
    if (child.pid !== undefined) run.onStart?.(child.pid);
    const errorText = text(child.stderr);
    // A process that dies early leaves its input unread; why it died says `ended`.
    const written = pipeline(Readable.from(inputOf(run)), child.stdin).catch(() => {});
    const [parts, end] = await Promise.all([
      readParts(child, graph.xadj.length - 1),
      ended,
      readLines(child, run),
      written,
    ]);
    signal.throwIfAborted();
    if (end.code === 0 && parts) return parts;
    throw failure(await errorText, end, killsBefore);
  } finally {
    signal.removeEventListener("abort", kill);
    kill();
  }
}

interface MetisEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

async function endOf(child: MetisChild): Promise<MetisEnd> {
  try {
    const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
    return { code, signal };
  } catch (cause) {
    throw new GnnError("NATIVE_NOT_BUILT", `${program} cannot be started; run script/build-native.`, { cause });
  }
}

function* inputOf(run: MetisRun): Generator<Buffer> {
  const { graph, nodeWeights, numConstraints, numParts, method, objective, seed } = run;
  const { xadj, adjncy } = graph;
  const recursive = Number(method === "recursive");
  const volume = Number(objective === "volume");
  const header = Int32Array.of(xadj.length - 1, adjncy.length, numConstraints, numParts, recursive, volume, seed);
  for (const { buffer, byteOffset, byteLength } of [header, xadj, adjncy, nodeWeights]) {
    for (let begin = 0; begin < byteLength; begin += chunkBytes) {
      yield Buffer.from(buffer, byteOffset + begin, Math.min(chunkBytes, byteLength - begin));
    }
  }
}

/** Null when the process closed before the last part. */
async function readParts(child: MetisChild, numNodes: number): Promise<Int32Array | null> {
  const parts = new Int32Array(numNodes);
  const bytes = new Uint8Array(parts.buffer);
  let end = 0;
  for await (const chunk of child.stdio[3] as Readable) {
    const { length } = chunk as Buffer;
    if (end + length > bytes.length) return null;
    bytes.set(chunk as Buffer, end);
    end += length;
  }
  return end === bytes.length ? parts : null;
}

async function readLines({ stdout }: MetisChild, { onLevel, onUsage }: MetisRun): Promise<void> {
  for await (const line of createInterface(stdout)) {
    const level = metisLevel(line);
    const usage = metisUsage(line);
    if (level) onLevel?.(level);
    if (usage) onUsage?.(usage);
  }
}

/** The process says "CODE message" of what it noticed itself; a crash says nothing. */
function failure(errorText: string, { code, signal: killedBy }: MetisEnd, killsBefore: number | null): GnnError {
  const [, named, message] = /^([A-Z_]+) (.*)\n/.exec(errorText) ?? [];
  if (named && message && named in gnnErrorCodes) return new GnnError(named as GnnErrorCode, message);
  const how = killedBy ? `was ended by ${killedBy}` : `ended with status ${code}`;
  const why = killedBy === "SIGKILL" ? whyKilled(killsBefore) : "";
  return new GnnError(
    "PARTITION_FAILED",
    `METIS ${how}${why}. Its process alone is gone: run the step again, or use the streaming partitioner.`,
  );
}

/** The kernel counts the processes that it ends for lack of memory; where it does not, that is only likely. */
function whyKilled(killsBefore: number | null): string {
  const kills = outOfMemoryKills();
  if (kills === null || killsBefore === null) return ", as the system does when memory runs out";
  return kills > killsBefore ? ", as memory ran out" : "";
}
