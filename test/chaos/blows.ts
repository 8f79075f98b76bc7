import { execFileSync } from "node:child_process";
import type { TestPostgres } from "../../apps/api/test/support/start-postgres.ts";
import type { Held, Point } from "../support/hold.ts";
import type { Stack } from "../support/stack.ts";
import type { ChaosCase } from "./cases.ts";

export interface Struck {
  readonly stack: Stack;
  readonly postgres: TestPostgres;
  /** The process that stands at the point */
  readonly held: Held;
}

export interface Blow {
  readonly victim: "rank" | "worker" | "API" | "Redis" | "PostgreSQL";
  readonly how: "kill -9" | "SIGSTOP" | "cut connections" | "FLUSHALL";
  readonly points: readonly Point[];
  /** Returns when the blow has landed; what it leaves to be done later (SIGCONT) goes on by itself. */
  strike(struck: Struck): Promise<void> | void;
  /** Left out: for every case */
  fits?(chaosCase: ChaosCase): boolean;
}

const inRanks = ["sampled", "all-reduce", "checkpoint-write"] as const;
const everywhere = [...inRanks, "manifest-put"] as const;
/** Longer than a lease, so that the service takes the stopped process for dead. */
const stoppedMs = 8000;

export const blows: readonly Blow[] = [
  { victim: "rank", how: "kill -9", points: inRanks, strike: ({ held }) => void process.kill(held.pid, "SIGKILL") },
  // Never continued: the stall watch has to end it.
  { victim: "rank", how: "SIGSTOP", points: inRanks, strike: ({ held }) => void process.kill(held.pid, "SIGSTOP") },
  {
    victim: "worker",
    how: "kill -9",
    points: everywhere,
    strike: async ({ stack }) => {
      await stack.worker.kill();
      stack.worker.start();
    },
  },
  { victim: "worker", how: "SIGSTOP", points: everywhere, strike: ({ stack }) => stopFor(stoppedMs, stack.worker.pid) },
  {
    victim: "API",
    how: "kill -9",
    points: everywhere,
    strike: async ({ stack }) => {
      await stack.api.kill();
      stack.api.start();
    },
  },
  { victim: "API", how: "SIGSTOP", points: everywhere, strike: ({ stack }) => stopFor(stoppedMs, stack.api.pid) },
  {
    victim: "Redis",
    how: "kill -9",
    points: everywhere,
    strike: async ({ stack }) => {
      await stack.redis.kill();
      stack.redis.start();
    },
  },
  { victim: "Redis", how: "SIGSTOP", points: everywhere, strike: ({ stack }) => stopFor(stoppedMs, stack.redis.pid) },
  {
    victim: "Redis",
    how: "cut connections",
    points: everywhere,
    strike: ({ stack }) => {
      for (const kind of ["normal", "pubsub"]) redisCli(stack, "CLIENT", "KILL", "TYPE", kind);
    },
  },
  { victim: "Redis", how: "FLUSHALL", points: everywhere, strike: ({ stack }) => redisCli(stack, "FLUSHALL") },
  {
    victim: "PostgreSQL",
    how: "kill -9",
    points: everywhere,
    strike: async ({ postgres }) => {
      await postgres.kill();
      await postgres.start();
    },
  },
  {
    victim: "PostgreSQL",
    how: "SIGSTOP",
    points: everywhere,
    strike: ({ postgres }) => stopFor(stoppedMs, ...postgres.pids),
  },
  { victim: "PostgreSQL", how: "cut connections", points: everywhere, strike: ({ postgres }) => postgres.cut() },
];

function redisCli(stack: Stack, ...command: string[]): void {
  execFileSync("redis-cli", ["-s", stack.redisSocket, ...command], { timeout: 30_000, stdio: "ignore" });
}

function stopFor(ms: number, ...pids: number[]): void {
  for (const pid of pids) process.kill(pid, "SIGSTOP");
  setTimeout(() => {
    for (const pid of pids) signalIfAlive(pid, "SIGCONT");
  }, ms);
}

function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}
