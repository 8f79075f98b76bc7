import { afterAll, afterEach, beforeAll, beforeEach, describe } from "vitest";
import type { Database } from "../../../src/database/open-database.ts";
import { isPostgresInstalled } from "../../support/start-postgres.ts";
import { openPostgres, openTestDatabase, World } from "./world.ts";

const databases = [
  { on: "PGlite", isInstalled: true, open: openTestDatabase },
  { on: "PostgreSQL", isInstalled: isPostgresInstalled, open: openPostgres },
];

/** Runs a suite on each kind of database (PostgreSQL where it is installed), in a new world for each test. */
export function describeInWorld(name: string, suite: (world: () => World) => void): void {
  for (const { on, isInstalled, open } of databases) {
    describe.skipIf(!isInstalled)(`${name} (${on})`, () => {
      let database: Database;
      let world: World;
      beforeAll(async () => {
        database = await open();
      });
      afterAll(() => database.close());
      beforeEach(async () => {
        world = await World.open(database);
      });
      afterEach(() => world.close());
      suite(() => world);
    });
  }
}
