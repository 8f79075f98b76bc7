import { expect, it, vi } from "vitest";
import { uploadFiles } from "../../src/datasets/upload-files.ts";
import { useApp } from "../support/each-database.ts";
import { createDataset } from "../support/fixtures.ts";
import { isPostgresInstalled } from "../support/start-postgres.ts";

const viewer = { userId: "admin", name: "admin", projectId: null, role: "ADMIN", via: "key" } as const;
const app = useApp();

/** Whether some transaction of this database waits for another. */
async function isWaiting(): Promise<boolean> {
  const rows = await app().services.prisma.$queryRaw<{ waiting: bigint }[]>`
    SELECT count(*) AS waiting FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return Number(rows[0]?.waiting) > 0;
}

// PGlite has one connection, whose transactions follow one another.
it.skipIf(!isPostgresInstalled)(
  "an upload that ends while the set of files is closed waits for that, and both are kept",
  async () => {
    const { services, admin } = app();
    const { prisma } = services;
    const datasetId = await createDataset(app());
    expect((await admin.post(`/v1/datasets/${datasetId}/files`).attach("file", Buffer.from("a"), "a.csv")).status).toBe(
      201,
    );
    const { id, filesId } = await prisma.datasetVersion.findFirstOrThrow({ where: { datasetId } });
    expect(filesId).not.toBeNull();

    let arrived = () => {};
    let end = () => {};
    const hasArrived = new Promise<void>((resolve) => (arrived = resolve));
    const mayEnd = new Promise<void>((resolve) => (end = resolve));
    async function* held() {
      yield Buffer.from("b");
      arrived();
      await mayEnd;
    }
    const uploading = uploadFiles(services, viewer, datasetId, toAsync([{ filename: "b.csv", file: held() }]));
    await hasArrived;
    await prisma.$transaction(async (tx) => {
      // What closing changes first, and what it changes last.
      await tx.datasetVersion.update({ where: { id }, data: { filesPrefix: null } });
      end();
      await vi.waitFor(async () => expect(await isWaiting()).toBe(true), { timeout: 10_000 });
      await tx.datasetVersion.update({ where: { id }, data: { filesId: null } });
    });
    await uploading;
    const names = await prisma.sourceFile.findMany({ where: { versionId: id }, select: { name: true } });
    expect(names.map(({ name }) => name).toSorted()).toEqual(["a.csv", "b.csv"]);
    expect(await prisma.datasetVersion.findUniqueOrThrow({ where: { id } })).toMatchObject({ filesId: null });
  },
);

async function* toAsync<T>(items: readonly T[]): AsyncIterable<T> {
  yield* items;
}
