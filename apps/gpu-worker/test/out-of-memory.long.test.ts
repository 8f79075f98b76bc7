import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { redisKeys } from "@hopwise/contracts";
import { afterAll, expect, test } from "vitest";
import { ApiSide } from "./support/api-side.ts";
import { MemoryGroup } from "./support/memory-group.ts";
import { RedisServer } from "./support/redis-server.ts";
import { until } from "./support/until.ts";
import { WorkerProcess } from "./support/worker-process.ts";

const group = MemoryGroup.make(600 * 1024 ** 2);
if (group === null) console.warn("skipped: a control group with a limit of memory takes root and its controller");
afterAll(async () => {
  // The kernel lets go of a group a moment after its last process.
  if (group) await until("the empty group", async () => removed(group));
});

function removed(empty: MemoryGroup): true | null {
  try {
    empty.remove();
    return true;
  } catch {
    return null;
  }
}

test.skipIf(group === null)(
  "a rank that the kernel ends for lack of memory is told so, with what the worker may use, and the worker lives",
  async () => {
    const redis = await RedisServer.start();
    await redis.client.set(redisKeys.generation, "1");
    const data = mkdtempSync(join(tmpdir(), "hww-"));
    const api = new ApiSide(redis.client, "w1");
    // More than the group may have: else a step would run into its own limit first.
    const worker = new WorkerProcess(redis.client, redis.url, data, "w1", { HOPWISE_STEP_MEMORY_BYTES: "8000000000" });
    try {
      group?.add(worker.pid);
      await worker.announcement();
      await api.submit({ jobId: "job1", options: { mode: "exhaust" } });
      expect((await api.story("job1")).at(-1)?.body).toMatchObject({
        type: "stageFailed",
        problem: {
          code: "RANK_LOST",
          retryable: true,
          detail: expect.stringMatching(
            /killed by SIGKILL during probe, as memory ran out: the worker may use 0\.6 GiB/,
          ),
        },
      });
      expect(worker.exitCode).toBeNull();
    } finally {
      await worker.end("SIGKILL");
      await api.close();
      await redis.stop();
      rmSync(data, { recursive: true, force: true });
    }
  },
);
