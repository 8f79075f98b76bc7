import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import supertest from "supertest";
import { type App, buildApp } from "../../src/app.ts";
import { adminKeyFile } from "../../src/auth/first-start.ts";
import { readEnv } from "../../src/env.ts";
import { type AnswerFaults, checkAnswers } from "./check-answers.ts";

export interface TestApp extends App {
  readonly dataDir: string;
  readonly adminKey: string;
  /** A request with the admin's key. */
  readonly admin: ReturnType<typeof supertest.agent>;
  /** A request without credentials. */
  readonly anonymous: ReturnType<typeof supertest.agent>;
  close(): Promise<void>;
}

/**
 * The whole API on a fresh data folder: PGlite unless `variables` name a database. Jobs stay queued: no Redis. Every
 * answer is held against the contract: `close` throws when one was not as it is described there.
 */
export async function startApp(variables: Record<string, string> = {}): Promise<TestApp> {
  const dataDir = await mkdtemp(join(tmpdir(), "hopwise-api-"));
  const faults: AnswerFaults = [];
  const env = readEnv({ HOPWISE_DATA: dataDir, ...variables });
  const app = await buildApp({ env, watch: checkAnswers(faults) });
  await app.server.listen({ host: "127.0.0.1", port: 0 });
  const adminKey = (await readFile(join(dataDir, "secrets", adminKeyFile), "utf8")).trim();
  const admin = supertest.agent(app.server.server).set("authorization", `Bearer ${adminKey}`);
  const anonymous = supertest.agent(app.server.server);
  const close = async () => {
    await app.server.close();
    await rm(dataDir, { recursive: true, force: true });
    if (faults.length > 0) throw new Error(`Answers that the contract does not describe:\n${faults.join("\n")}`);
  };
  return { ...app, dataDir, adminKey, admin, anonymous, close };
}
