import { PGlite } from "@electric-sql/pglite";
import { memberName } from "@hopwise/contracts";
import { PrismaPg } from "@prisma/adapter-pg";
import type { SqlMigrationAwareDriverAdapterFactory } from "@prisma/driver-adapter-utils";
import { PrismaPGlite } from "pglite-prisma-adapter";
import { describe, expect, it, onTestFinished } from "vitest";
import { applyMigrations, readMigrations } from "../../src/database/migrations.ts";
import { PrismaClient } from "../../src/generated/prisma/client.ts";
import { eventOfRow } from "../../src/job-state/job-store.ts";
import { slicesOf } from "../../src/job-state/stage-slices.ts";
import { isPostgresInstalled, startPostgres } from "../support/start-postgres.ts";

/** Processes of a stage as they were: two ranks and two sampler processes, then after a loss one of each. */
const oldRows = `
  INSERT INTO "Project" ("id", "name") VALUES ('p', 'p');
  INSERT INTO "User" ("id", "name", "role") VALUES ('u', 'u', 'ADMIN');
  INSERT INTO "Job" ("id", "projectId", "createdBy", "kind", "name", "spec", "attempt", "cursor")
    VALUES ('j', 'p', 'u', 'train', 'j', '{}', 2, 8);
  INSERT INTO "Attempt" ("id", "projectId", "createdBy", "jobId", "number", "workerId", "bootId", "host", "ranks", "device", "reason")
    SELECT 'a' || n, 'p', 'u', 'j', n, 'w', 'b', 'h', 3 - n, 'cpu', 'submitted' FROM generate_series(1, 2) n;
  INSERT INTO "Rank" ("jobId", "attempt", "rank", "projectId", "createdBy", "localRank", "host", "device", "state", "step")
    SELECT 'j', a, r, 'p', 'u', r, 'h', 'cpu', 'LOST', 10 * a + r FROM (VALUES (1, 0), (1, 1), (1, 2), (1, 3), (2, 0), (2, 1)) o(a, r);
  INSERT INTO "LogLine" ("jobId", "cursor", "projectId", "createdBy", "attempt", "stageIndex", "level", "rank", "message", "at")
    VALUES ('j', 1, 'p', 'u', 1, 1, 'info', 1, 'of rank 1', now()), ('j', 2, 'p', 'u', 1, 1, 'info', 3, 'of sampler 1', now()),
      ('j', 3, 'p', 'u', 2, 1, 'info', 1, 'of sampler 0', now()), ('j', 4, 'p', 'u', 0, NULL, 'warn', 0, 'before any', now());
  INSERT INTO "Incident" ("jobId", "cursor", "projectId", "createdBy", "attempt", "code", "message", "rank", "at")
    VALUES ('j', 5, 'p', 'u', 1, 'RANK_LOST', 'Rank 1', 1, now()), ('j', 6, 'p', 'u', 1, 'RANK_LOST', 'Sampler 0', NULL, now());
  INSERT INTO "JobEvent" ("jobId", "cursor", "projectId", "createdBy", "attempt", "stageIndex", "type", "at", "body")
    SELECT 'j', "cursor", 'p', 'u', "attempt", "stageIndex", 'LogAppended', "at",
      jsonb_build_object('level', "level", 'rank', "rank", 'message', "message", 'fields', NULL) FROM "LogLine";
  INSERT INTO "JobEvent" ("jobId", "cursor", "projectId", "createdBy", "attempt", "stageIndex", "type", "at", "body")
    SELECT 'j', "cursor", 'p', 'u', "attempt", 1, 'IncidentRaised', "at",
      jsonb_build_object('code', "code", 'message', "message", 'rank', "rank", 'host', NULL) FROM "Incident";
  INSERT INTO "JobEvent" ("jobId", "cursor", "projectId", "createdBy", "attempt", "stageIndex", "type", "at", "body") VALUES
    ('j', 7, 'p', 'u', 2, 1, 'RankUpdated', now(), '{"rank": 1, "step": 5, "device": "cpu", "seedsPerSecond": null,
      "breakdown": null, "rssBytes": 1, "localRows": 0, "remoteRows": 0, "cachedRows": 0}'),
    ('j', 8, 'p', 'u', 2, NULL, 'JobStateChanged', now(), '{"state": "RUNNING", "problem": null}');
  INSERT INTO "Stage" ("id", "projectId", "createdBy", "jobId", "index", "kind", "options", "ranks", "state", "slices") VALUES
    ('s0', 'p', 'u', 'j', 0, 'partition', '{}', 1, 'SUCCEEDED', '[]'),
    ('s1', 'p', 'u', 'j', 1, 'train', '{}', 2, 'RUNNING', '[
      {"workerId": "w1", "bootId": "b", "host": "h1", "firstRank": 0, "ranks": 1, "state": "RUNNING", "problem": null, "endedAt": null},
      {"workerId": "w2", "bootId": "b", "host": "h2", "firstRank": 1, "ranks": 2, "state": "QUEUED", "problem": null, "endedAt": null},
      {"workerId": "w3", "bootId": "b", "host": "h3", "firstRank": 3, "ranks": 1, "state": "ENDED", "problem": null, "endedAt": null}]')`;

async function migrated(factory: SqlMigrationAwareDriverAdapterFactory): Promise<PrismaClient> {
  const migrations = await readMigrations();
  const own = migrations.findIndex(({ name }) => name.endsWith("_members"));
  await applyMigrations(factory, migrations.slice(0, own));
  const connection = await factory.connect();
  await connection.executeScript(oldRows);
  await connection.dispose();
  expect(await applyMigrations(factory)).toEqual(migrations.slice(own).map(({ name }) => name));
  return new PrismaClient({ adapter: factory });
}

const databases = {
  PGlite: async () => {
    const database = await PGlite.create();
    onTestFinished(() => database.close());
    return new PrismaPGlite(database);
  },
  PostgreSQL: async () => {
    const server = await startPostgres();
    onTestFinished(() => server.stop());
    return new PrismaPg({ connectionString: server.url });
  },
};

describe.each(Object.entries(databases))("the numbers of processes in a database from before on %s", (on, open) => {
  it.skipIf(on === "PostgreSQL" && !isPostgresInstalled)("become ranks and sampler processes", async () => {
    const prisma = await migrated(await open());
    const byCursor = { orderBy: { cursor: "asc" } } as const;
    const members = await prisma.member.findMany({ orderBy: [{ attempt: "asc" }, { kind: "asc" }, { index: "asc" }] });
    expect(members.map((each) => [each.attempt, memberName(each), each.step, each.state])).toEqual([
      [1, "0", 10n, "LOST"],
      [1, "1", 11n, "LOST"],
      [1, "sampler 0", 12n, "LOST"],
      [1, "sampler 1", 13n, "LOST"],
      [2, "0", 20n, "LOST"],
      [2, "sampler 0", 21n, "LOST"],
    ]);
    const lines = await prisma.logLine.findMany(byCursor);
    expect(
      lines.map(({ message, memberKind: kind, memberIndex: index }) => [message, memberName({ kind, index })]),
    ).toEqual([
      ["of rank 1", "1"],
      ["of sampler 1", "sampler 1"],
      ["of sampler 0", "sampler 0"],
      ["before any", "0"],
    ]);
    const incidents = await prisma.incident.findMany(byCursor);
    expect(incidents.map(({ message, memberKind, memberIndex }) => [message, memberKind, memberIndex])).toEqual([
      ["Rank 1", "rank", 1],
      ["Sampler 0", null, null],
    ]);
    const events = (await prisma.jobEvent.findMany(byCursor)).map(eventOfRow);
    const told = events.map(({ body }) => ("member" in body ? body.member && memberName(body.member) : undefined));
    expect(told).toEqual(["1", "sampler 1", "sampler 0", "0", "1", null, "sampler 0", undefined]);
    const stages = await prisma.stage.findMany({ orderBy: { index: "asc" } });
    expect(stages.map(slicesOf)).toEqual([
      [],
      [
        { ...slice("1", "RUNNING"), ranks: { first: 0, count: 1 }, samplers: { first: 0, count: 0 } },
        { ...slice("2", "QUEUED"), ranks: { first: 1, count: 1 }, samplers: { first: 0, count: 1 } },
        { ...slice("3", "ENDED"), ranks: { first: 2, count: 0 }, samplers: { first: 1, count: 1 } },
      ],
    ]);
    await prisma.$disconnect();
  });
});

function slice(number: string, state: string) {
  return { workerId: `w${number}`, bootId: "b", host: `h${number}`, state, problem: null, endedAt: null, devices: [] };
}
