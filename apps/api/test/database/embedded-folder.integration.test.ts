import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Program } from "../../../../test/support/program.ts";
import { freePort } from "../../../../test/support/stack.ts";
import { until } from "../../../../test/support/until.ts";

const server = fileURLToPath(new URL("../../dist/server.js", import.meta.url));

let dir = "";
const running: Api[] = [];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "hopwise-folder-"));
});
afterEach(async () => {
  for (const api of running.splice(0)) await api.program.kill();
  rmSync(dir, { recursive: true, force: true });
});

/** The API's program on a data folder with PGlite in it. */
class Api {
  readonly program: Program;
  readonly #data: string;
  readonly #port: number;
  readonly #log: string;

  private constructor(data: string, port: number) {
    this.#data = data;
    this.#port = port;
    this.#log = join(dir, `api-${port}.log`);
    this.program = new Program(
      ["node", server],
      { HOPWISE_DATA: data, HOPWISE_PORT: String(port), REDIS_URL: "" },
      this.#log,
    );
  }

  static async start(data: string): Promise<Api> {
    const api = new Api(data, await freePort());
    running.push(api);
    api.program.start();
    return api;
  }

  get log(): string {
    return existsSync(this.#log) ? readFileSync(this.#log, "utf8") : "";
  }

  ready(): Promise<boolean | undefined> {
    return until("the API", async () => (await fetch(this.#url("/readyz")).catch(() => null))?.ok);
  }

  async call(method: string, path: string, body?: unknown): Promise<{ id: string; items: { name: string }[] }> {
    const key = readFileSync(join(this.#data, "secrets/admin-api-key"), "utf8").trim();
    const isForm = body instanceof FormData;
    const answer = await fetch(this.#url(path), {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && !isForm ? { "content-type": "application/json" } : {}) },
      ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
    });
    if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as { id: string; items: { name: string }[] };
  }

  /** Names of the datasets, as a client sees them. */
  async datasets(): Promise<string[]> {
    const query = "{ datasets(first: 50) { nodes { name } } }";
    const { data } = (await this.call("POST", "/graphql", { query })) as unknown as {
      data: { datasets: { nodes: { name: string }[] } };
    };
    return data.datasets.nodes.map(({ name }) => name).toSorted();
  }

  #url(path: string): string {
    return `http://127.0.0.1:${this.#port}${path}`;
  }
}

it("has one API: a second one is refused by the name of the first, and the first does not notice", async () => {
  const data = join(dir, "data");
  const first = await Api.start(data);
  await first.ready();
  await first.call("POST", "/v1/datasets", { name: "before" });
  const second = await Api.start(data);
  await until("the refusal", () => second.log.includes(`is in use by process ${first.program.pid} on`));
  await first.call("POST", "/v1/datasets", { name: "after" });
  expect(await first.datasets()).toEqual(["after", "before"]);
});

it("is free for the next API as soon as the first is killed, with all that it had answered", async () => {
  const data = join(dir, "data");
  const first = await Api.start(data);
  await first.ready();
  await first.call("POST", "/v1/datasets", { name: "kept" });
  await first.program.kill("SIGKILL");
  const second = await Api.start(data);
  await second.ready();
  expect(await second.datasets()).toEqual(["kept"]);
});

it("can be copied while nobody uses it, and the copy goes on where it was taken while the original goes its own way", async () => {
  const [data, copy] = [join(dir, "data"), join(dir, "copy")];
  const original = await Api.start(data);
  await original.ready();
  const { id } = await original.call("POST", "/v1/datasets", { name: "in both" });
  const form = new FormData();
  form.append("file", new Blob(["src,dst\na,b\n"]), "edges.csv");
  await original.call("POST", `/v1/datasets/${id}/files`, form);
  await original.program.kill("SIGTERM");
  cpSync(data, copy, { recursive: true });

  const again = await Api.start(data);
  const restored = await Api.start(copy);
  await Promise.all([again.ready(), restored.ready()]);
  await again.call("POST", "/v1/datasets", { name: "in the original" });
  await restored.call("POST", "/v1/datasets", { name: "in the copy" });
  expect(await again.datasets()).toEqual(["in both", "in the original"]);
  expect(await restored.datasets()).toEqual(["in both", "in the copy"]);
});
