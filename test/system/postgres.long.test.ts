import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeCitationGraph } from "@hopwise/gnn-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isPostgresInstalled, startPostgres, type TestPostgres } from "../../apps/api/test/support/start-postgres.ts";
import type { JobState } from "../support/client.ts";
import { followToTheEnd } from "../support/events.ts";
import { Hold } from "../support/hold.ts";
import { Stack } from "../support/stack.ts";
import { epochsOf, resultDigests } from "../support/struck-job.ts";
import { until } from "../support/until.ts";

const plan = { epochs: 3, batchSize: 64 };
const spec = (dataset: string) => ({
  dataset,
  task: { target: "label" },
  model: { type: "sage", options: { hiddenFeats: 64 } },
  sampling: { type: "neighbor", options: { fanouts: [15, 10] } },
  train: plan,
});

describe.skipIf(!isPostgresInstalled)("the service on PostgreSQL", () => {
  const dir = mkdtempSync(join(tmpdir(), "hw-postgres-"));
  const hold = new Hold();
  let postgres: TestPostgres;
  let stack: Stack;

  beforeAll(async () => {
    await writeCitationGraph(dir, { numNodes: 3000, numEdges: 30_000, seed: 7 });
    postgres = await startPostgres();
    stack = await Stack.start({ DATABASE_URL: postgres.url, ...hold.env });
  });
  afterAll(async () => {
    await stack?.stop();
    await postgres?.stop();
    hold.close();
    rmSync(dir, { recursive: true, force: true });
  });

  let dataset: string;
  let undisturbed: JobState;

  it("trains from files to results", async () => {
    const { client } = stack;
    dataset = await client.makeDataset("citation", [join(dir, "edges.csv"), join(dir, "nodes.csv")]);
    undisturbed = await client.finished(await client.submit(spec(dataset)));
    expect(undisturbed.state, JSON.stringify(undisturbed.problem)).toBe("SUCCEEDED");
    expect(existsSync(join(stack.dir, "pglite")), "nothing went to the embedded database").toBe(false);
  }, 240_000);

  /** The API says that it cannot do without its database, and that this is nobody's fault. */
  const missed = async () => {
    const { headers } = stack.client;
    const answer = await until("an answer without the database", async () => {
      const got = await fetch(`${stack.url}/v1/datasets`, { headers });
      return got.ok ? null : got;
    });
    expect(await answer.json()).toMatchObject({ status: 503, code: "UPSTREAM_UNAVAILABLE", retryable: true });
  };

  const blows: Record<string, () => Promise<void>> = {
    "kill -9 of the API": async () => {
      await stack.api.kill();
      hold.release();
      stack.api.start();
    },
    "an orderly restart of the database": async () => {
      await postgres.shutDown();
      hold.release();
      await missed();
      await postgres.start();
    },
    "kill -9 of the database": async () => {
      await postgres.kill();
      hold.release();
      await missed();
      await postgres.start();
    },
    "the end of every connection to the database": async () => {
      postgres.cut();
      hold.release();
    },
  };

  it.each(Object.entries(blows))(
    "ends a job with the same bits and each event once through %s in mid-epoch",
    async (blow, strike) => {
      const { client } = stack;
      const api = stack.api.pid;
      hold.arm("all-reduce", { epoch: 2, step: 3 });
      const jobId = await client.submit(spec(dataset));
      const live = followToTheEnd(client, jobId);
      await hold.reached();
      await strike();
      const struck = await client.finished(jobId);
      expect(struck.state, JSON.stringify(struck.problem) + stack.logOf("api").slice(-2000)).toBe("SUCCEEDED");
      expect(struck.attempt).toBe(1);
      expect(resultDigests(struck)).toEqual(resultDigests(undisturbed));
      if (!blow.endsWith("API")) {
        expect(stack.api.hasEnded).toBe(false);
        expect(stack.api.pid).toBe(api);
      }

      const events = await live;
      expect(events.map(({ id }) => Number(id))).toEqual(events.map((_, i) => i + 1));
      expect(epochsOf(events)).toEqual(Array.from({ length: plan.epochs }, (_, i) => i + 1));
      // A reader who comes late gets the same story.
      expect(await followToTheEnd(client, jobId)).toEqual(events);
    },
    240_000,
  );
});
