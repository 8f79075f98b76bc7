import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeCitationGraph } from "@hopwise/gnn-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isPostgresInstalled, startPostgres, type TestPostgres } from "../../apps/api/test/support/start-postgres.ts";
import { followToTheEnd } from "../support/events.ts";
import { Stack } from "../support/stack.ts";
import { epochsOf, inMidEpoch, resultDigests, stepsPerEpochOf } from "../support/struck-job.ts";

const plan = { epochs: 8, batchSize: 64 };
const spec = (dataset: string) => ({
  dataset,
  task: { target: "label" },
  model: { type: "sage", options: { hiddenFeats: 256 } },
  sampling: { type: "neighbor", options: { fanouts: [15, 10] } },
  train: plan,
});

describe.skipIf(!isPostgresInstalled)("the service on PostgreSQL", () => {
  const dir = mkdtempSync(join(tmpdir(), "hw-postgres-"));
  let postgres: TestPostgres;
  let stack: Stack;

  beforeAll(async () => {
    await writeCitationGraph(dir, { numNodes: 8000, numEdges: 80_000, seed: 7 });
    postgres = await startPostgres();
    stack = await Stack.start({ DATABASE_URL: postgres.url });
  });
  afterAll(async () => {
    await stack?.stop();
    await postgres?.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  it("trains from files to results, and through kill -9 of the API in mid-epoch ends with the same bits", async () => {
    const { client } = stack;
    const dataset = await client.makeDataset("citation", [join(dir, "edges.csv"), join(dir, "nodes.csv")]);
    const undisturbed = await client.finished(await client.submit(spec(dataset)));
    expect(undisturbed.state, JSON.stringify(undisturbed.problem)).toBe("SUCCEEDED");
    expect(existsSync(join(stack.dir, "pglite")), "nothing went to the embedded database").toBe(false);

    const jobId = await client.submit(spec(dataset));
    const live = followToTheEnd(client, jobId);
    await inMidEpoch(client, jobId, plan, stepsPerEpochOf(undisturbed, plan));
    await stack.api.kill();
    stack.api.start();
    const struck = await client.finished(jobId);
    expect(struck.state, JSON.stringify(struck.problem) + stack.logOf("api").slice(-2000)).toBe("SUCCEEDED");
    expect(struck.attempt).toBe(1);
    expect(resultDigests(struck)).toEqual(resultDigests(undisturbed));

    const events = await live;
    expect(events.map(({ id }) => Number(id))).toEqual(events.map((_, i) => i + 1));
    expect(epochsOf(events)).toEqual(Array.from({ length: plan.epochs }, (_, i) => i + 1));
  }, 240_000);
});
