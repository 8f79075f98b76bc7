import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import type { Client, JobState } from "./client.ts";
import { downloadParquet } from "./parquet.ts";
import { Stack } from "./stack.ts";

export type Row = Record<string, unknown>;

/** A service whose tests apply models to one version of a dataset after another; it runs while the file's tests do. */
export class AppliedWorld {
  readonly #dir = mkdtempSync(join(tmpdir(), "hw-applied-"));
  #stack: Stack | null = null;

  /** Starts the service before the tests, and ends it after them. */
  static begin({ serving = false }: { readonly serving?: boolean } = {}): AppliedWorld {
    const world = new AppliedWorld();
    beforeAll(async () => {
      world.#stack = await Stack.startOnServer();
      if (serving) await world.#stack.startServing();
    });
    afterAll(async () => {
      await world.#stack?.stop();
      rmSync(world.#dir, { recursive: true, force: true });
    });
    return world;
  }

  get client(): Client {
    return this.#stack!.client;
  }

  /** Uploads tables as the next version of a dataset, or as a new one. */
  async versionOf(tables: Record<string, string>, spec: object, dataset?: string): Promise<string> {
    const { client } = this;
    const folder = mkdtempSync(join(this.#dir, "tables-"));
    const paths = Object.entries(tables).map(([name, text]) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    });
    if (dataset === undefined) return client.makeDataset(folder.split("/").at(-1)!, paths, spec);
    await client.upload(dataset, paths);
    const ingest = await client.api.call("PUT /v1/datasets/:id/spec", {
      params: { id: dataset },
      body: { version: 1, ...spec },
    });
    const job = await client.finished(ingest.id);
    expect(job.state, JSON.stringify(job.problem)).toBe("SUCCEEDED");
    return dataset;
  }

  /** The job of this spec, once it has succeeded */
  async succeeded(spec: Record<string, unknown>): Promise<JobState> {
    const job = await this.client.finished(await this.client.submit(spec));
    expect(job.state, JSON.stringify(job.problem) + this.#stack!.logOf("worker").slice(-2000)).toBe("SUCCEEDED");
    return job;
  }

  predictionsOf(job: JobState): Promise<Row[]> {
    return downloadParquet(this.client, "predictions", job.id);
  }
}
