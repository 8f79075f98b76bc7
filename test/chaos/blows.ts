import { execFileSync } from "node:child_process";
import type { TestPostgres } from "../../apps/api/test/support/start-postgres.ts";
import { cutRankConnections, type RankConnection } from "../support/cut-connections.ts";
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
  readonly victim: "rank" | "sampler" | "worker" | "API" | "Redis" | "PostgreSQL" | RankConnection;
  readonly how: "kill -9" | "SIGSTOP" | "cut connections" | "FLUSHALL";
  readonly points: readonly Point[];
  /** Whether the case has what is struck; left out: every case */
  fits?(chaosCase: ChaosCase): boolean;
  /** Returns when the blow has landed; what it leaves to be done later (SIGCONT) goes on by itself. */
  strike(struck: Struck): Promise<void> | void;
}

const inRanks = ["sampled", "remote-read", "all-reduce", "checkpoint-write"] as const;
const inSamplers = ["remote-sample"] as const;
const everywhere = [...inRanks, ...inSamplers, "manifest-put"] as const satisfies readonly Point[];
export const pointNames: readonly Point[] = everywhere;
/** Longer than a lease, so that the service takes the stopped process for dead. */
const stoppedMs = 8000;

export const blows: readonly Blow[] = [
  ...memberBlows("rank", inRanks),
  ...memberBlows("sampler", inSamplers),
  // Found as those of a row service are: one end of them listens.
  {
    victim: "sampler",
    how: "cut connections",
    points: inSamplers,
    strike: ({ held }) => cutAll(held, "row service"),
  },
  {
    victim: "Gloo",
    how: "cut connections",
    points: inRanks,
    fits: ({ ranks }) => ranks > 1,
    strike: ({ held }) => cutAll(held, "Gloo"),
  },
  {
    victim: "row service",
    how: "cut connections",
    points: inRanks,
    fits: ({ graph }) => graph === "partitioned",
    strike: ({ held }) => cutAll(held, "row service"),
  },
  ...programBlows("worker"),
  ...programBlows("API"),
  ...programBlows("Redis"),
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

/**
 * What may happen to a process of the job at the points that it comes to. A stopped one is never continued: the stall
 * watch has to end it.
 */
function memberBlows(victim: "rank" | "sampler", points: readonly Point[]): Blow[] {
  const strike =
    (signal: NodeJS.Signals) =>
    ({ held }: Struck) =>
      void process.kill(held.pid, signal);
  return [
    { victim, how: "kill -9", points, strike: strike("SIGKILL") },
    { victim, how: "SIGSTOP", points, strike: strike("SIGSTOP") },
  ];
}

/**
 * What may happen to a program of the stack at any point: it dies and is started again, or it stands still for a while.
 */
function programBlows(victim: "worker" | "API" | "Redis"): Blow[] {
  const victimOf = ({ stack }: Struck) => ({ worker: stack.worker, API: stack.api, Redis: stack.redis })[victim];
  const restart = async (struck: Struck) => {
    await victimOf(struck).kill();
    victimOf(struck).start();
  };
  return [
    { victim, how: "kill -9", points: everywhere, strike: restart },
    { victim, how: "SIGSTOP", points: everywhere, strike: (struck) => stopFor(stoppedMs, victimOf(struck).pid) },
  ];
}

function cutAll({ pid }: Held, kind: RankConnection): void {
  if (cutRankConnections(pid, kind) === 0) throw new Error(`Rank process ${pid} has no connection of the ${kind}.`);
}

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
