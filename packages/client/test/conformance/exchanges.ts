import { finishedJob, type HopwiseClient, ProblemError } from "../../src/index.ts";

/** What a client does in the suite: code that runs in Node and in a page alike, and gives plain facts back. */

export interface ProblemFacts {
  readonly name: string;
  readonly code?: string;
  readonly pointer?: string | undefined;
  readonly status?: number | undefined;
}

/** A file of this many bytes, no two megabytes of it alike. */
export function madeFile(name: string, bytes: number): File {
  const words = new Uint32Array(Math.ceil(bytes / 4));
  for (let i = 0; i < words.length; i++) words[i] = Math.imul(i + 1, 2_654_435_761);
  return new File([new Uint8Array(words.buffer, 0, bytes)], name);
}

/** What a promise was rejected with. */
async function rejectionOf(promise: Promise<unknown>): Promise<ProblemFacts> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof ProblemError) {
      return { name: error.name, code: error.code, pointer: error.pointer, status: error.problem.status };
    }
    return { name: error instanceof Error || error instanceof DOMException ? error.name : String(error) };
  }
  throw new Error("It was not rejected.");
}

export const exchanges = {
  async makeDataset(client: HopwiseClient, { name }: { name: string }) {
    return (await client.call("POST /v1/datasets", { body: { name } })).id;
  },

  async upload(client: HopwiseClient, { id, name, bytes }: { id: string; name: string; bytes: number }) {
    const progress: number[] = [];
    const { files } = await client.upload("POST /v1/datasets/:id/files", {
      params: { id },
      query: { preview: "false" },
      files: [madeFile(name, bytes)],
      onProgress: (sent) => progress.push(sent),
    });
    return { progress, files: files.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 })) };
  },

  async uploadAndCancel(client: HopwiseClient, { id, name, bytes }: { id: string; name: string; bytes: number }) {
    const controller = new AbortController();
    let sentBytes = 0;
    const upload = client.upload("POST /v1/datasets/:id/files", {
      params: { id },
      files: [madeFile(name, bytes)],
      onProgress: (sent) => {
        sentBytes = sent;
        controller.abort();
      },
      signal: controller.signal,
    });
    const rejection = await rejectionOf(upload);
    return { rejection, sentBytes };
  },

  async uploadWrongly(client: HopwiseClient, { id, name }: { id: string; name: string }) {
    return rejectionOf(client.upload("POST /v1/datasets/:id/files", { params: { id }, files: [madeFile(name, 100)] }));
  },

  async follow(client: HopwiseClient, { id, silenceMs }: { id: string; silenceMs?: number }) {
    const cursors: string[] = [];
    const types: string[] = [];
    for await (const event of client.events("GET /v1/jobs/:id/events", { params: { id }, silenceMs })) {
      cursors.push(event.cursor);
      types.push(event.type);
    }
    return { cursors, types };
  },

  async followTwoEvents(client: HopwiseClient, { id }: { id: string }) {
    const cursors: string[] = [];
    for await (const { cursor } of client.events("GET /v1/jobs/:id/events", { params: { id } })) {
      if (cursors.push(cursor) === 2) break;
    }
    return cursors;
  },

  async finish(client: HopwiseClient, { id }: { id: string }) {
    const states: string[] = [];
    const { state } = await finishedJob(client, id, {
      onEvent: (event) => void (event.type === "JobStateChanged" && states.push(event.body.state)),
    });
    return { state, states };
  },

  async submit(client: HopwiseClient, { spec, key }: { spec: object; key: string }) {
    return (await client.call("POST /v1/jobs", { body: spec, idempotencyKey: key })).id;
  },

  async submitWrongly(client: HopwiseClient, { spec }: { spec: object }) {
    return rejectionOf(client.call("POST /v1/jobs", { body: spec, idempotencyKey: "a wrong spec" }));
  },

  async makeDatasetInVain(client: HopwiseClient, { name }: { name: string }) {
    return rejectionOf(client.call("POST /v1/datasets", { body: { name } }));
  },

  async readInVain(client: HopwiseClient, { id }: { id: string }) {
    return rejectionOf(client.call("GET /v1/jobs/:id", { params: { id } }));
  },

  async countJobs(client: HopwiseClient, query: { search?: string }) {
    return (await client.call("GET /v1/jobs", { query })).totalCount;
  },

  async read(client: HopwiseClient, { id, blob }: { id: string; blob: string }) {
    return [...new Uint8Array(await client.bytes("GET /v1/artifacts/:id", { params: { id }, query: { blob } }))];
  },

  async askGraphql(client: HopwiseClient, { query, variables }: { query: string; variables: Record<string, unknown> }) {
    return client.graphql<Record<string, unknown>>(query, variables);
  },

  async askGraphqlInVain(
    client: HopwiseClient,
    { query, variables }: { query: string; variables: Record<string, unknown> },
  ) {
    return rejectionOf(client.graphql(query, variables));
  },
} as const;

export type Exchanges = typeof exchanges;

/** Does an exchange by its name, wherever a client is. */
export type Do = <E extends keyof Exchanges>(
  exchange: E,
  input: Parameters<Exchanges[E]>[1],
) => Promise<Awaited<ReturnType<Exchanges[E]>>>;
