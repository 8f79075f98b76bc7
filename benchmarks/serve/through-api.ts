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
import { type Paced, paced } from "./paced.ts";
import { jobId, modelId, seedApi } from "./seed-api.ts";

/** CPU milliseconds of the API for each request */
export interface ThroughApi {
  readonly database: "PostgreSQL" | "PGlite";
  readonly predictCpuMs: number;
  readonly readModelCpuMs: number;
  /** Predictions of one id at 1,000 requests a second */
  readonly paced: Paced & PacedApi;
}

/** What the API did meanwhile */
interface PacedApi {
  readonly cpuMs: number;
  /** How late its event loop was, by its own metrics; an undisturbed one has some 10 ms, the precision of its clock */
  readonly lagP50Ms: number;
  readonly lagP99Ms: number;
}

interface Measured {
  readonly connections: number;
  readonly numRequests: number;
  readonly numPaced: number;
  readonly idOf: (n: number) => string;
}

const perSecond = 1000;

/**
 * Asks the API's own program, on the data folder whose rows the serving process has, with `connections` connections:
 * a prediction of one id, and the model as it is read. PGlite, unless DATABASE_URL names a PostgreSQL that is empty.
 */
export async function measureThroughApi(
  data: string,
  source: Parameters<typeof seedApi>[1],
  { connections, numRequests, numPaced, idOf }: Measured,
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
      const ask = async (count: number) => {
        let next = 0;
        const client = async () => {
          while (next < count) await one(next++);
        };
        await Promise.all(Array.from({ length: connections }, client));
      };
      // Code that has run some thousand times is compiled, as in a process that has served for a minute.
      await ask(numRequests);
      const before = cpuSecondsOf(api);
      await ask(numRequests);
      return ((cpuSecondsOf(api) - before) * 1000) / numRequests;
    };
    const predict = (n: number) => ask("POST", `/v1/jobs/${jobId}/predict`, { ids: [idOf(n)] });
    const predictCpuMs = await cpuMs(predict);
    await lagOf(port, authorization); // A look at the metrics begins the next measurement.
    const before = cpuSecondsOf(api);
    const asked = await paced(numPaced, perSecond, predict);
    const cpuMsAtRate = ((cpuSecondsOf(api) - before) * 1000) / numPaced;
    const atRate = { ...asked, cpuMs: cpuMsAtRate, ...(await lagOf(port, authorization)) };
    const readModelCpuMs = await cpuMs(() => ask("GET", `/v1/models/${modelId}`));
    const database = process.env["DATABASE_URL"] ? "PostgreSQL" : "PGlite";
    return { database, predictCpuMs, readModelCpuMs, paced: atRate };
  } finally {
    agent.destroy();
    api.kill("SIGTERM");
    if (api.exitCode === null) await once(api, "exit");
  }
}

/** The lag of the API's event loop since the last look at its metrics. */
async function lagOf(port: number, authorization: string): Promise<Pick<PacedApi, "lagP50Ms" | "lagP99Ms">> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { headers: { authorization } });
  const metrics = await answer.text();
  const secondsAt = (quantile: string) =>
    Number(new RegExp(`^nodejs_eventloop_lag_${quantile}_seconds(?:{.*?})? (\\S+)`, "m").exec(metrics)?.[1]);
  return { lagP50Ms: secondsAt("p50") * 1000, lagP99Ms: secondsAt("p99") * 1000 };
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
