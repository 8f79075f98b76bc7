import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readParquet } from "../support/parquet.ts";
import { clientForPython, hasPython, python } from "../support/python.ts";
import { Stack } from "../support/stack.ts";
import { writeVersions } from "../support/versions.ts";

/** What programs other than the dashboard, the command line and TypeScript get of a service. */
describe("programs", () => {
  const dir = mkdtempSync(join(tmpdir(), "hw-programs-"));
  const { first } = writeVersions(dir);
  let stack: Stack;
  let env: Record<string, string>;

  beforeAll(async () => {
    stack = await Stack.startOnServer();
    const key = readFileSync(join(stack.dir, "secrets", "admin-api-key"), "utf8");
    env = { HOPWISE_URL: stack.url, HOPWISE_API_KEY: key.trim() };
  });
  afterAll(async () => {
    await stack?.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  it.skipIf(!hasPython)("in Python upload, train and read embeddings by id, and tell errors apart", async () => {
    const { stdout, stderr } = await python([join(clientForPython, "test", "tour.py"), ...first], { env });
    const told = JSON.parse(stdout);
    expect(stderr).toMatch(/^epoch 2: .*loss/m);
    expect(told).toMatchObject({ ref: expect.stringMatching(/^ds_\w+@1$/), accuracy: expect.any(Number) });

    const { api } = stack.client;
    const file = join(dir, "embeddings.parquet");
    const asked = { params: { id: String(told.job) }, query: { format: "parquet" } } as const;
    writeFileSync(file, new Uint8Array(await api.bytes("GET /v1/jobs/:id/embeddings", asked)));
    const exported = await readParquet(file);
    expect(told.ids).toEqual(exported.map(({ id }) => id));
    const vectors = exported.map(({ embedding }) => [...(embedding as Iterable<number>)].map(Math.fround));
    expect(told.vectors.map((vector: number[]) => vector.map(Math.fround))).toEqual(vectors);

    expect(told.errors).toEqual({
      unknown: ["NotFoundError", "REQUEST_NOT_FOUND", null],
      model: ["NotFoundError", "REQUEST_NOT_FOUND", null],
      spec: ["InvalidError", "JOB_SPEC_INVALID", "/train/epochs"],
      key: ["NotAllowedError", "AUTH_INVALID", null],
    });
  });
});
