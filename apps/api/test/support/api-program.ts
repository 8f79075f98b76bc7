import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Program } from "../../../../test/support/program.ts";
import { freePort } from "../../../../test/support/stack.ts";
import { until } from "../../../../test/support/until.ts";

const server = fileURLToPath(new URL("../../dist/server.js", import.meta.url));

export interface ApiAnswer {
  readonly status: number;
  readonly body: { readonly id: string; readonly code?: string; readonly detail?: string; readonly data?: unknown };
}

/** The API's program, alone on a data folder with PGlite in it. */
export class ApiProgram {
  readonly program: Program;
  readonly url: string;
  readonly #data: string;
  readonly #log: string;

  private constructor(data: string, port: number, log: string, env: Record<string, string>) {
    this.#data = data;
    this.#log = log;
    this.url = `http://127.0.0.1:${port}`;
    const settings = { HOPWISE_DATA: data, HOPWISE_PORT: String(port), REDIS_URL: "", ...env };
    this.program = new Program(["node", server], settings, log);
  }

  /** @param logs folder of its log, outside of the data */
  static async start(data: string, logs: string, env: Record<string, string> = {}): Promise<ApiProgram> {
    const port = await freePort();
    const api = new ApiProgram(data, port, join(logs, `api-${port}.log`), env);
    api.program.start();
    return api;
  }

  get log(): string {
    return existsSync(this.#log) ? readFileSync(this.#log, "utf8") : "";
  }

  ready(): Promise<boolean | undefined> {
    return until("the API", async () => (await fetch(`${this.url}/readyz`).catch(() => null))?.ok);
  }

  /** Headers with the admin's key */
  get headers(): { authorization: string } {
    return { authorization: `Bearer ${readFileSync(join(this.#data, "secrets/admin-api-key"), "utf8").trim()}` };
  }

  /** One request with the admin's key; a body that is no form goes as JSON. */
  async call(method: string, path: string, body?: unknown): Promise<ApiAnswer> {
    const isForm = body instanceof FormData;
    const answer = await fetch(this.url + path, {
      method,
      headers: { ...this.headers, ...(body && !isForm ? { "content-type": "application/json" } : {}) },
      ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
    });
    return { status: answer.status, body: (await answer.json()) as ApiAnswer["body"] };
  }

  /** @returns its id */
  async makeDataset(name: string): Promise<string> {
    const { status, body } = await this.call("POST", "/v1/datasets", { name });
    if (status !== 201) throw new Error(JSON.stringify(body));
    return body.id;
  }

  upload(dataset: string, name: string, content: string | Uint8Array<ArrayBuffer>): Promise<ApiAnswer> {
    const form = new FormData();
    form.append("file", new Blob([content]), name);
    return this.call("POST", `/v1/datasets/${dataset}/files?preview=false`, form);
  }

  /** Names of the datasets, as a client sees them. */
  async datasets(): Promise<string[]> {
    const query = "{ datasets(first: 100) { nodes { name } } }";
    const { body } = await this.call("POST", "/graphql", { query });
    const { datasets } = body.data as { datasets: { nodes: { name: string }[] } };
    return datasets.nodes.map(({ name }) => name).toSorted();
  }
}
