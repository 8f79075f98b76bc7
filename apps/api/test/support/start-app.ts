import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import supertest from "supertest";
import { type App, buildApp } from "../../src/app.ts";
import { adminKeyFile } from "../../src/auth/first-start.ts";
import { readEnv } from "../../src/env.ts";
import { type AnswerFaults, checkAnswers } from "./check-answers.ts";
import { freshDatabase, sharedServer } from "./fresh-database.ts";

export interface TestApp extends App {
  readonly dataDir: string;
  readonly adminKey: string;
  /** A request with the admin's key. */
  readonly admin: ReturnType<typeof supertest.agent>;
  /** A request without credentials. */
  readonly anonymous: ReturnType<typeof supertest.agent>;
  close(): Promise<void>;
}

/** What `startApp` runs on: PGlite costs five CPU seconds, and other tests are on it. */
export type DatabaseKind = "server of the run" | "PGlite";

/**
 * The whole API on a fresh data folder, with a database of its own unless `variables` name one. Jobs stay queued: no
 * Redis. Every answer is held against the contract: `close` throws when one was not as it is described there.
 */
export async function startApp(
  variables: Record<string, string> = {},
  kind: DatabaseKind = "server of the run",
): Promise<TestApp> {
  const dataDir = await mkdtemp(join(tmpdir(), "hopwise-api-"));
  const faults: AnswerFaults = [];
  const isOnServer = kind !== "PGlite" && process.env[sharedServer] !== undefined && !variables["DATABASE_URL"];
  const database = isOnServer ? await freshDatabase() : null;
  const env = readEnv({ HOPWISE_DATA: dataDir, ...(database && { DATABASE_URL: database.url }), ...variables });
  const app = await buildApp({ env, watch: checkAnswers(faults) });
  await app.server.listen({ host: "127.0.0.1", port: 0 });
  const adminKey = (await readFile(join(dataDir, "secrets", adminKeyFile), "utf8")).trim();
  const admin = supertest.agent(app.server.server).set("authorization", `Bearer ${adminKey}`);
  const anonymous = supertest.agent(app.server.server);
  const close = async () => {
    await app.server.close();
    await database?.drop();
    await rm(dataDir, { recursive: true, force: true });
    if (faults.length > 0) throw new Error(`Answers that the contract does not describe:\n${faults.join("\n")}`);
  };
  return { ...app, dataDir, adminKey, admin, anonymous, close };
}
