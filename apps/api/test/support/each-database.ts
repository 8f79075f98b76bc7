import { afterAll, beforeAll, describe } from "vitest";
import { type FreshDatabase, freshDatabase } from "./fresh-database.ts";
import { type DatabaseKind, startApp, type TestApp } from "./start-app.ts";
import { isPostgresInstalled } from "./start-postgres.ts";

/** Runs the same suite on PGlite and, where its binaries are installed, on PostgreSQL (skipped visibly otherwise). */
export function describeEachDatabase(
  name: string,
  variables: Record<string, string>,
  suite: (app: () => TestApp) => void,
): void {
  describe(`${name} (PGlite)`, () => suite(useApp(variables, "PGlite")));
  describe.skipIf(!isPostgresInstalled)(`${name} (PostgreSQL)`, () => {
    let database: FreshDatabase | null = null;
    let app: TestApp;
    beforeAll(async () => {
      database = await freshDatabase();
      app = await startApp({ ...variables, DATABASE_URL: database?.url ?? "" });
    });
    afterAll(async () => {
      await app?.close();
      await database?.drop();
    });
    suite(() => app);
  });
}

/** One API for all tests of the surrounding block. */
export function useApp(variables: Record<string, string> = {}, kind?: DatabaseKind): () => TestApp {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp(variables, kind);
  });
  afterAll(() => app?.close());
  return () => app;
}
