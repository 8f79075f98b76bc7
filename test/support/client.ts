import { openAsBlob } from "node:fs";
import { basename } from "node:path";
import supertest from "supertest";
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

const ended = new Set(["SUCCEEDED", "FAILED", "CANCELLED"]);

/** The service as a user's program sees it: GraphQL and REST with an API key. */
export class Client {
  readonly url: string;
  readonly #key: string;

  constructor(url: string, key: string) {
    this.url = url;
    this.#key = key;
  }

  get headers(): Record<string, string> {
    return { authorization: `Bearer ${this.#key}` };
  }

  /** The data of a GraphQL answer; its errors are thrown. */
  async graphql<T>(query: string, variables: Record<string, unknown> = {}): Promise<T> {
    const { body } = await supertest(this.url).post("/graphql").set(this.headers).send({ query, variables });
    if (body.errors) throw new Error(JSON.stringify(body.errors));
    return body.data as T;
  }

  /** The whole body of an answer of 200. */
  async download(path: string): Promise<Uint8Array> {
    const answer = await fetch(this.url + path, { headers: this.headers });
    if (answer.status !== 200) throw new Error(`GET ${path}: ${answer.status} ${await answer.text()}`);
    return new Uint8Array(await answer.arrayBuffer());
  }

  async workers(): Promise<{ id: string; state: string }[]> {
    return (await this.graphql<{ workers: { id: string; state: string }[] }>("{ workers { id state } }")).workers;
  }

  async makeProject(name: string): Promise<string> {
    const query = "mutation($name: String!) { createProject(name: $name) { id } }";
    return (await this.graphql<{ createProject: { id: string } }>(query, { name })).createProject.id;
  }

  /**
   * Uploads files into a new dataset, waits for the preview and ingests with the spec given or else the proposed one.
   */
  async makeDataset(name: string, paths: readonly string[], spec?: unknown, project?: string): Promise<string> {
    const { createDataset } = await this.graphql<{ createDataset: { id: string; latest: { id: string } } }>(
      "mutation($name: String!, $project: ID) { createDataset(name: $name, project: $project) { id latest { id } } }",
      { name, project },
    );
    await this.upload(createDataset.id, paths);
    const mapping = spec ?? (await this.proposedSpec(createDataset.id));
    const { ingestDataset } = await this.graphql<{ ingestDataset: { id: string } }>(
      "mutation($version: ID!, $spec: DatasetSpecInput!) { ingestDataset(version: $version, spec: $spec) { id } }",
      { version: createDataset.latest.id, spec: mapping },
    );
    const job = await this.finished(ingestDataset.id);
    if (job.state !== "SUCCEEDED") throw new Error(`ingest ${job.state}: ${JSON.stringify(job.problem)}`);
    return createDataset.id;
  }

  async upload(datasetId: string, paths: readonly string[]): Promise<void> {
    const form = new FormData();
    for (const path of paths) form.append("file", await openAsBlob(path), basename(path));
    const options = { method: "POST", headers: this.headers, body: form };
    const answer = await fetch(`${this.url}/v1/datasets/${datasetId}/files`, options);
    if (!answer.ok) throw new Error(`upload: ${answer.status} ${await answer.text()}`);
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

  async submit(spec: Record<string, unknown>): Promise<string> {
    const { submitJob } = await this.graphql<{ submitJob: { id: string } }>(
      "mutation($spec: JobSpecInput!) { submitJob(spec: $spec) { id } }",
      { spec: { version: 1, kind: "train", ...spec } },
    );
    return submitJob.id;
  }

  async job(id: string): Promise<JobState> {
    const { job } = await this.graphql<{ job: JobState }>(`query($id: ID!) { job(id: $id) { ${jobFields} } }`, { id });
    return job;
  }

  /** The job once it has ended, well or not. */
  async finished(id: string, seconds = 240): Promise<JobState> {
    const query = "query($id: ID!) { job(id: $id) { state } }";
    const hasEnded = async () => {
      const { job } = await this.graphql<{ job: { state: string } }>(query, { id });
      return ended.has(job.state);
    };
    // The API may be dead for a moment; that is what some tests are about.
    await until(`the end of ${id}`, () => hasEnded().catch(() => false), seconds);
    return this.job(id);
  }

  /** One blob of the job's artifact of a kind. */
  async blob(job: JobState, kind: string, name: string): Promise<Uint8Array> {
    const artifact = job.artifacts.find((candidate) => candidate.kind === kind);
    if (!artifact) throw new Error(`${job.id} has no ${kind}`);
    return this.download(`/v1/artifacts/${artifact.id}?blob=${encodeURIComponent(name)}`);
  }
}
