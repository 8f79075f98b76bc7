import { afterAll, beforeAll, describe } from "vitest";
import { startApp, type TestApp } from "./start-app.ts";
import { isPostgresInstalled, startPostgres, type TestPostgres } from "./start-postgres.ts";

/** Runs the same suite on PGlite and, where its binaries are installed, on PostgreSQL (skipped visibly otherwise). */
export function describeEachDatabase(
  name: string,
  variables: Record<string, string>,
  suite: (app: () => TestApp) => void,
): void {
  describe(`${name} (PGlite)`, () => suite(useApp(variables)));
  describe.skipIf(!isPostgresInstalled)(`${name} (PostgreSQL)`, () => {
    let postgres: TestPostgres;
    let app: TestApp;
    beforeAll(async () => {
      postgres = await startPostgres();
      app = await startApp({ ...variables, DATABASE_URL: postgres.url });
    });
    afterAll(async () => {
      await app?.close();
      await postgres?.stop();
    });
    suite(() => app);
  });
}

/** One API for all tests of the surrounding block. */
export function useApp(variables: Record<string, string> = {}): () => TestApp {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp(variables);
  });
  afterAll(() => app?.close());
  return () => app;
}
