import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { adminKeyFile } from "../../apps/api/src/auth/first-start.ts";
import { cpuSecondsOf } from "./cpu-seconds.ts";
import { jobId, modelId, seedApi } from "./seed-api.ts";

/** CPU milliseconds of the API for each request */
export interface ThroughApi {
  readonly database: "PostgreSQL" | "PGlite";
  readonly predictCpuMs: number;
  readonly readModelCpuMs: number;
}

/**
 * Asks the API's own program, on the data folder whose rows the serving process has, with `connections` connections:
 * a prediction of one id, and the model as it is read. PGlite, unless DATABASE_URL names a PostgreSQL that is empty.
 */
export async function measureThroughApi(
  data: string,
  source: Parameters<typeof seedApi>[1],
  { connections, numRequests, idOf }: { connections: number; numRequests: number; idOf: (n: number) => string },
): Promise<ThroughApi> {
  await seedApi(data, source);
  const port = await freePort();
  const api = startApi(data, port);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  try {
    while (!(await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.ok) {
      if (api.exitCode !== null) throw new Error("The API has ended.");
      await wait(50);
    }
    const authorization = `Bearer ${readFileSync(join(data, "secrets", adminKeyFile), "utf8").trim()}`;
    const ask = async (method: string, path: string, body?: object) => {
      const headers = { authorization, ...(body && { "content-type": "application/json" }) };
      const asked = request({ port, path, method, headers, agent });
      asked.end(body && JSON.stringify(body));
      const [response] = await once(asked, "response");
      const answer = await text(response);
      if (response.statusCode !== 200) throw new Error(answer);
    };
    const cpuMs = async (one: (n: number) => Promise<void>) => {
      for (let n = 0; n < numRequests / 10; n++) await one(n);
      const before = cpuSecondsOf(api);
      let next = 0;
      const client = async () => {
        while (next < numRequests) await one(next++);
      };
      await Promise.all(Array.from({ length: connections }, client));
      return ((cpuSecondsOf(api) - before) * 1000) / numRequests;
    };
    const predictCpuMs = await cpuMs((n) => ask("POST", `/v1/jobs/${jobId}/predict`, { ids: [idOf(n)] }));
    const readModelCpuMs = await cpuMs(() => ask("GET", `/v1/models/${modelId}`));
    return { database: process.env["DATABASE_URL"] ? "PostgreSQL" : "PGlite", predictCpuMs, readModelCpuMs };
  } finally {
    agent.destroy();
    api.kill("SIGTERM");
    if (api.exitCode === null) await once(api, "exit");
  }
}

function startApi(data: string, port: number): ChildProcess {
  const program = join(import.meta.dirname, "../../apps/api/dist/server.js");
  const settings = {
    HOPWISE_DATA: data,
    HOPWISE_PORT: String(port),
    HOPWISE_SIGN_IN_LINK: "file",
    HOPWISE_REQUESTS_PER_MINUTE: "100000000",
    REDIS_URL: "",
  };
  const env = { ...process.env, ...settings };
  return spawn(process.execPath, [program], { env, stdio: ["ignore", "ignore", "inherit"] });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address ? address.port : 0;
}
