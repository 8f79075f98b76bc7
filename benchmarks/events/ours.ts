/**
 * How long does the service take for what gathered while it was away, and does anybody else notice?
 *
 * Figure: seconds from the start of a new process of the service until the events of a busy job are persisted, all that
 * gathered in the worker's outbox while there was no service. Ceiling: rows like theirs in the same number written to
 * the same database by statements alone, in the same run. Beside it what others wait meanwhile: the cancellation of
 * another job, and the next stage of an unrelated one, against the same with nothing else going on; and the
 * cancellation of the busy job itself.
 *
 *   ours.ts [--events 100000] [--database pglite|postgresql] [--small]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { leadRank, type StageKey, type WorkerEventBody } from "@hopwise/contracts";
import { PrivateRedis } from "../../apps/api/test/scheduler/support/private-redis.ts";
import { startPostgres } from "../../apps/api/test/support/start-postgres.ts";
import { compileProgramApart } from "../../script/lib/compile-program.mjs";
import { ApiProcess } from "./api-questions.ts";
import { EventWorker } from "./event-worker.ts";

const { values } = parseArgs({
  options: {
    events: { type: "string", default: "100000" },
    database: { type: "string", default: "pglite" },
    small: { type: "boolean", default: false },
  },
});
const numEvents = values.small ? 2000 : Number(values.events);
const undisturbedRounds = values.small ? 1 : 6;

/** What a stage that trains tells, in about the shares of a job with two ranks. */
function eventOf(i: number): WorkerEventBody {
  const step = i + 1;
  switch (i % 10) {
    case 0:
    case 1:
    case 2:
    case 3: {
      const event = { type: "progress", phase: "train", completed: step, total: numEvents, unit: "epochs" } as const;
      return { type: "step", event };
    }
    case 4:
    case 5:
    case 6: {
      const values = { "train/loss": 1 / step, "val/accuracy": 1 - 1 / step };
      return { type: "metrics", axis: "epoch", points: [{ at: new Date().toISOString(), step, values }] };
    }
    case 7:
    case 8: {
      const figures = {
        step,
        device: "cpu",
        seedsPerSecond: 1e5,
        rssBytes: 1e9,
        localRows: 1,
        remoteRows: 1,
        cachedRows: 0,
      };
      const member = { kind: "rank", index: i % 2 } as const;
      return { type: "step", event: { type: "member", member, breakdown: null, ...figures } };
    }
    default: {
      const message = `epoch ${step} of ${numEvents}`;
      return { type: "step", event: { type: "log", level: "info", member: leadRank, message, fields: { step } } };
    }
  }
}

const round = (value: number) => Number(value.toPrecision(3));

function spread(seconds: readonly number[]) {
  const sorted = seconds.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return { median: round(median), max: round(sorted.at(-1) ?? 0), times: sorted.length };
}

const dir = await mkdtemp(join(tmpdir(), "hopwise-bench-events-"));
const redis = await PrivateRedis.start();
const postgres = values.database === "postgresql" ? await startPostgres() : null;
const program = await compileProgramApart(new URL("./api-process.ts", import.meta.url));
const api = new ApiProcess(program, [postgres?.url ?? join(dir, "pglite"), redis.url]);
const worker = new EventWorker(redis.url, dir, 3 * numEvents + 10_000);

async function submit(role: "quick" | "held"): Promise<string> {
  const { jobId = "" } = await api.ask({ ask: "submit" });
  worker.play(jobId, role);
  return jobId;
}

/** One job is cancelled while it trains, another goes through all its stages. */
async function bystanders(cancels: number[]): Promise<void> {
  const held = await submit("held");
  await worker.training(held);
  cancels.push((await api.ask({ ask: "cancel", jobId: held })).seconds ?? 0);
  const { state } = await api.ask({ ask: "end", jobId: await submit("quick") });
  if (state !== "SUCCEEDED") throw new Error(`An unrelated job ended ${state}.`);
}

function gather(key: StageKey): void {
  for (let i = 0; i < numEvents; i++) worker.outbox.append(key, eventOf(i));
}

/** The service is killed, its events gather, and it comes back. @returns seconds from its start until it schedules */
async function outage(key: StageKey): Promise<number> {
  await api.kill();
  gather(key);
  const startedAt = performance.now();
  await api.start();
  return (performance.now() - startedAt) / 1000;
}

try {
  await worker.start();
  await api.start();
  const quiet: number[] = [];
  for (let i = 0; i < undisturbedRounds; i++) await bystanders(quiet);
  const quietTurnarounds = worker.turnarounds;
  worker.turnarounds = [];

  const busy = await submit("held");
  const key = await worker.training(busy);
  const startSeconds = await outage(key);
  const backAt = performance.now();
  const { seconds: cpuBefore = 0 } = await api.ask({ ask: "cpu" });
  const during: number[] = [];
  const recovering = new AbortController();
  const persisted = api.ask({ ask: "persisted", jobId: busy, seq: numEvents + 1 }).then(() => {
    recovering.abort();
    return (performance.now() - backAt) / 1000;
  });
  while (!recovering.signal.aborted) await bystanders(during);
  const recovery = await persisted;
  const { seconds: cpuAfter = 0 } = await api.ask({ ask: "cpu" });
  const turnarounds = worker.turnarounds;
  const entriesSent = await worker.entriesSent(key);
  const { points = 0, events = 0 } = await api.ask({ ask: "points", jobId: busy });

  await outage(key);
  await api.ask({ ask: "persisted", jobId: busy, seq: numEvents + 2 }); // it has begun to take up what gathered
  const { seconds: cancelBusy = 0 } = await api.ask({ ask: "cancel", jobId: busy });
  const { seconds: bare = 0 } = await api.ask({ ask: "insert", jobId: busy, events: numEvents });

  const cancelQuiet = spread(quiet);
  const cancelDuring = spread(during);
  const stageQuiet = spread(quietTurnarounds);
  const stageDuring = spread(turnarounds);
  console.log(
    JSON.stringify({
      topic: "events",
      figure: round(startSeconds + recovery),
      unit: `s until ${numEvents} events are persisted`,
      better: "lower",
      ceiling: round(bare),
      details: {
        database: values.database,
        events: numEvents,
        startSeconds: round(startSeconds),
        eventsPerSecond: Math.round(numEvents / recovery),
        cpuSeconds: round(cpuAfter - cpuBefore),
        entriesSentPerEvent: round(entriesSent / (numEvents + 1)),
        pointsKept: points,
        eventsKept: events,
        cancelSeconds: {
          undisturbed: cancelQuiet,
          during: cancelDuring,
          ratio: round(cancelDuring.median / cancelQuiet.median),
        },
        nextStageSeconds: {
          undisturbed: stageQuiet,
          during: stageDuring,
          ratio: round(stageDuring.median / stageQuiet.median),
        },
        cancelOfTheBusyJobSeconds: round(cancelBusy),
      },
    }),
  );
} finally {
  await worker.close();
  await api.kill();
  await redis.stop();
  await postgres?.stop();
  await rm(dir, { recursive: true, force: true });
}
