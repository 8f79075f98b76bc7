import { spawnSync } from "node:child_process";
import { type Problem, problemOf } from "@hopwise/contracts";
import type { Logger } from "../log.ts";

/** Node that lacks memory may also stand still. */
const triedOnce = { stdio: "ignore", timeout: 10_000, killSignal: "SIGKILL" } as const;

/**
 * Whether a process can be started with a limit on its private memory (RLIMIT_DATA), which its allocations then run
 * into one by one instead of the kernel ending whatever is largest on the host. Node itself reserves hundreds of
 * megabytes that count, so that it does not start at all within a small limit: what a small container has is then its
 * control group's to guard.
 */
export function canLimitMemory(bytes: number, log: Logger): boolean {
  const within = (...command: string[]) =>
    spawnSync("prlimit", [...memoryArguments(bytes), ...command], triedOnce).status === 0;
  if (within(process.execPath, "--eval", "")) return true;
  const why = within("true")
    ? "Node does not start within so little"
    : "prlimit (Debian package util-linux) cannot do it here";
  log.warn({ bytes }, `the memory of steps is not limited: ${why}`);
  return false;
}

/** The arguments of prlimit(1), which then becomes the program that follows them. */
export function memoryArguments(bytes: number): string[] {
  return [`--data=${bytes}:${bytes}`];
}

/** Whether this is what V8, Node or a native kernel says when they are given no memory. */
export function isAllocationFailure(words: string): boolean {
  return /Array buffer allocation failed|JavaScript heap out of memory|Fatal process out of memory|std::bad_alloc|no memory left for a native kernel/.test(
    words,
  );
}

/** @param bytes the limit; null: only the host's memory was the limit */
export function outOfMemory(who: string, step: string, bytes: number | null): Problem {
  const limit = bytes === null ? "there is" : `the ${bytes} bytes that it may have (HOPWISE_STEP_MEMORY_BYTES)`;
  const detail = `${who} needs more memory for ${step} than ${limit}. Use less data at a time, more ranks, or a worker with more memory.`;
  return problemOf("STEP_MEMORY_LIMIT", detail);
}
