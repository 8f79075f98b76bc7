import { chmod, readFile, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { damageOf } from "../../src/artifacts/artifact-checks.ts";
import { Scrub } from "../../src/artifacts/scrub.ts";
import type { Artifact } from "../../src/generated/prisma/client.ts";
import { createDataset } from "../support/fixtures.ts";
import { multipartOf } from "../support/multipart.ts";
import { startApp, type TestApp } from "../support/start-app.ts";

let app: TestApp;
let artifact: Artifact;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  const id = await createDataset(app);
  const body = multipartOf([{ name: "edges.csv", content: "src,dst\na,b\n" }]);
  await app.admin.post(`/v1/datasets/${id}/files`).set(multipartOf.headers).send(body).expect(201);
  const version = await app.services.prisma.datasetVersion.findFirstOrThrow({
    where: { datasetId: id },
    include: { files: true },
  });
  artifact = version.files as Artifact;
});

/** Changes a stored blob in place, or puts it back. */
async function change(name: string, edit: (text: string) => string): Promise<void> {
  const path = app.services.store.localPath(`${artifact.prefix}/${name}`) ?? "";
  await chmod(path, 0o644);
  await writeFile(path, edit(await readFile(path, "utf8")));
}

const get = (query = "") => app.admin.get(`/v1/artifacts/${artifact.id}${query}`);
const noted = () => damageOf(app.services.prisma, [artifact.id]);
const scrub = (periodMs: number) => {
  const { prisma, integrity, log } = app.services;
  return new Scrub({ prisma, integrity, log, periodMs, bytesPerSecond: 1e9 });
};

it("a blob that was served is not served any more once it has changed, not in part either, and the error names it", async () => {
  expect((await get("?blob=files/0").expect(200)).body.toString()).toBe("src,dst\na,b\n");
  await change("files/0", (text) => text.replace("a,b", "a,c"));
  const whole = await get("?blob=files/0").expect(500);
  expect(whole.body).toMatchObject({ code: "ARTIFACT_DAMAGED", file: "files/0" });
  expect(whole.body.detail).toMatch(/sha256.*upload it to a new version/);
  await get("?blob=files/0").set("range", "bytes=0-2").expect(500);
  expect((await noted()).get(artifact.id)).toMatchObject([{ blob: "files/0" }]);
});

it("a manifest that has changed is not served", async () => {
  await get().expect(200);
  await change("manifest.json", (text) => text.replace("edges.csv", "edged.csv"));
  expect((await get().expect(500)).body).toMatchObject({ code: "ARTIFACT_DAMAGED", file: "manifest.json" });
});

it("what nobody asks for is read too, each artifact once in a period", async () => {
  while (await scrub(3_600_000).runOne()); // nothing is that old
  await change("files/0", (text) => text.replace("a,b", "a,c"));
  const { count } = await app.services.prisma.artifact.updateMany({ data: { createdAt: new Date(0) } });
  await app.services.prisma.$executeRaw`DELETE FROM "ArtifactCheck"`;
  let runs = 0;
  while (await scrub(3_600_000).runOne()) runs++;
  expect(runs).toBe(count);
  expect((await noted()).get(artifact.id)).toMatchObject([{ blob: "files/0" }]);
  await change("files/0", (text) => text.replace("a,c", "a,b"));
  await app.services.prisma.$executeRaw`UPDATE "ArtifactCheck" SET "checkedAt" = to_timestamp(0)`;
  while (await scrub(3_600_000).runOne());
  expect(await noted()).toEqual(new Map());
});
