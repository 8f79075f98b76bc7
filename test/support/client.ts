import { randomUUID } from "node:crypto";
import { HopwiseClient } from "@hopwise/client";
import { openFile } from "@hopwise/client/node";
import { type exportFormats, isTerminal } from "@hopwise/contracts";
import { until } from "./until.ts";

export interface JobState {
  readonly id: string;
  readonly state: "QUEUED" | "RUNNING" | "CANCELLING" | "CANCELLED" | "SUCCEEDED" | "FAILED";
  readonly attempt: number;
  readonly problem: { code: string; detail: string } | null;
  readonly stages: readonly {
    kind: string;
    state: string;
    cached: boolean;
    completed: number | null;
    attempt: number;
  }[];
  readonly incidents: readonly { code: string; message: string; attempt: number; rank: number | null }[];
  readonly artifacts: readonly {
    id: string;
    kind: string;
    digest: string;
    info: Record<string, unknown>;
    blobs: readonly { name: string; sha256: string; bytes: number }[];
  }[];
}

const jobFields = `id state attempt problem { code detail }
  stages { kind state cached completed attempt } incidents { code message attempt rank }
  artifacts { id kind digest info blobs { name sha256 bytes } }`;

export type EmbeddingsFormat = (typeof exportFormats)["embeddings"][number];

/** What tests do with a service again and again, by the client that a user's program has. */
export class Client {
  readonly api: HopwiseClient;
  readonly #key: string;

  constructor(url: string, key: string) {
    this.api = new HopwiseClient({ url, key });
    this.#key = key;
  }

  get url(): string {
    return this.api.url;
  }

  /** For tests of what HTTP itself carries. */
  get headers(): Record<string, string> {
    return { authorization: `Bearer ${this.#key}` };
  }

  /** The data of a GraphQL answer; its errors are thrown. */
  graphql<T>(query: string, variables: Record<string, unknown> = {}): Promise<T> {
    return this.api.graphql<T>(query, variables);
  }

  async workers(): Promise<{ id: string; state: string }[]> {
    return (await this.api.call("GET /v1/workers")).items;
  }

  async makeProject(name: string): Promise<string> {
    return (await this.api.call("POST /v1/projects", { body: { name } })).id;
  }

  /**
   * Uploads files into a new dataset, waits for the preview and ingests with the spec given or else the proposed one.
   */
  async makeDataset(name: string, paths: readonly string[], spec?: unknown, project?: string): Promise<string> {
    const { id } = await this.api.call("POST /v1/datasets", { body: { name, ...(project && { project }) } });
    await this.upload(id, paths);
    const mapping = spec ?? (await this.proposedSpec(id));
    const ingest = await this.api.call("PUT /v1/datasets/:id/spec", { params: { id }, body: mapping });
    const job = await this.finished(ingest.id);
    if (job.state !== "SUCCEEDED") throw new Error(`ingest ${job.state}: ${JSON.stringify(job.problem)}`);
    return id;
  }

  async upload(datasetId: string, paths: readonly string[]): Promise<void> {
    const files = await Promise.all(paths.map(openFile));
    await this.api.upload("POST /v1/datasets/:id/files", { params: { id: datasetId }, files });
  }

  async proposedSpec(datasetId: string): Promise<unknown> {
    return until("the preview", async () => {
      const { dataset } = await this.graphql<{
        dataset: { latest: { preview: { proposed: unknown } | null; problem: unknown } };
      }>("query($id: ID!) { dataset(id: $id) { latest { preview { proposed } problem { code detail } } } }", {
        id: datasetId,
      });
      if (dataset.latest.problem) throw new Error(JSON.stringify(dataset.latest.problem));
      return dataset.latest.preview?.proposed;
    });
  }

  /** Without layouts by UMAP unless the spec asks for them: they take longer than the rest of a small job. */
  async submit(spec: Record<string, unknown>): Promise<string> {
    const outputs = { map: { maxDetailed: 0 }, ...(spec["outputs"] as Record<string, unknown> | undefined) };
    const body = { version: 1, kind: "train", ...spec, outputs };
    return (await this.api.call("POST /v1/jobs", { body, idempotencyKey: randomUUID() })).id;
  }

  async job(id: string): Promise<JobState> {
    const { job } = await this.graphql<{ job: JobState }>(`query($id: ID!) { job(id: $id) { ${jobFields} } }`, { id });
    return job;
  }

  /** The job once it has ended, well or not. */
  async finished(id: string, seconds = 240): Promise<JobState> {
    const hasEnded = async () => isTerminal((await this.api.call("GET /v1/jobs/:id", { params: { id } })).state);
    // The API may be dead for a moment; that is what some tests are about.
    await until(`the end of ${id}`, () => hasEnded().catch(() => false), seconds);
    return this.job(id);
  }

  /** One blob of the job's artifact of a kind. */
  async blob(job: JobState, kind: string, name: string): Promise<Uint8Array> {
    const artifact = job.artifacts.find((candidate) => candidate.kind === kind);
    if (!artifact) throw new Error(`${job.id} has no ${kind}`);
    const asked = { params: { id: artifact.id }, query: { blob: name } };
    return new Uint8Array(await this.api.bytes("GET /v1/artifacts/:id", asked));
  }

  /** The job's embeddings in a format that is there. */
  async embeddings(jobId: string, format: EmbeddingsFormat): Promise<Uint8Array> {
    const asked = { params: { id: jobId }, query: { format } };
    return new Uint8Array(await this.api.bytes("GET /v1/jobs/:id/embeddings", asked));
  }
}
