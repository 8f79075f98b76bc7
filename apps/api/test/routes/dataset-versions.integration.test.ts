import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { useApp } from "../support/each-database.ts";
import { createDataset, keyFor } from "../support/fixtures.ts";
import { multipartOf } from "../support/multipart.ts";

const app = useApp();
interface Source {
  readonly name: string;
  readonly carriedFrom: number | null;
}

const edges = "src,dst\na,b\n";

async function upload(id: string, name: string, content: string, query = "preview=false"): Promise<void> {
  const files = multipartOf([{ name, content }]);
  await app().admin.post(`/v1/datasets/${id}/files?${query}`).set(multipartOf.headers).send(files).expect(201);
}

/** A dataset of two files, whose first version is as an ingest job leaves it. */
async function finishedDataset(state: "READY" | "FAILED" = "READY"): Promise<string> {
  const id = await createDataset(app());
  await upload(id, "edges.csv", edges);
  await upload(id, "nodes.csv", "id,label\na,x\nb,y\n");
  await app().admin.post(`/v1/datasets/${id}/preview`).send({}).expect(202);
  await app().services.prisma.datasetVersion.updateMany({ where: { datasetId: id }, data: { state } });
  return id;
}

/** What the files of a version hold, by their names. */
async function contentsOf(versionId: string): Promise<Record<string, string>> {
  const { prisma, store } = app().services;
  const sources = await prisma.sourceFile.findMany({ where: { versionId }, orderBy: { name: "asc" } });
  const read = async ({ name, blobKey }: (typeof sources)[number]) => [name, await text(await store.get(blobKey))];
  return Object.fromEntries(await Promise.all(sources.map(read)));
}

describe("a new version of a dataset", () => {
  it.each(["READY", "FAILED"] as const)(
    "begins with the files of one that is %s, and leaves that as it is",
    async (state) => {
      const id = await finishedDataset(state);
      const { body: made } = await app().admin.post(`/v1/datasets/${id}/versions`).send({}).expect(201);
      expect(made).toMatchObject({ number: 2, ref: `${id}@2`, state: "MAPPING", spec: null, graph: null });
      expect(made.sources.map(({ name }: { name: string }) => name).toSorted()).toEqual(["edges.csv", "nodes.csv"]);

      await upload(id, "edges.csv", "src,dst\nb,a\n", "preview=false&replace=true");
      await app().admin.post(`/v1/datasets/${id}/preview`).send({}).expect(202);
      const { body: shown } = await app().admin.get(`/v1/datasets/${id}`);
      const [second, first] = shown.versions;
      expect(await contentsOf(first.id)).toEqual({ "edges.csv": edges, "nodes.csv": "id,label\na,x\nb,y\n" });
      expect(await contentsOf(second.id)).toEqual({
        "edges.csv": "src,dst\nb,a\n",
        "nodes.csv": "id,label\na,x\nb,y\n",
      });
      expect([second.state, first.state]).toEqual(["MAPPING", state]);
      const { prisma } = app().services;
      const prefixes = await prisma.artifact.findMany({ where: { kind: "files", prefix: { contains: id } } });
      expect(prefixes).toHaveLength(2);
    },
  );

  it("may add rows of further files: it keeps mapping and files, and says where each came from", async () => {
    const id = await finishedDataset();
    const spec = {
      edges: { files: ["edges.csv"], src: "src", dst: "dst" },
      nodes: { files: ["nodes.csv"], id: "id", label: "label" },
    };
    await app().services.prisma.datasetVersion.updateMany({ where: { datasetId: id }, data: { spec } });
    const path = `/v1/datasets/${id}/versions`;
    expect((await app().admin.post(path).send({ adds: true, withFiles: false })).body.code).toBe("REQUEST_INVALID");
    const { body: made } = await app().admin.post(path).send({ adds: true }).expect(201);
    expect(made).toMatchObject({ number: 2, state: "MAPPING", addsTo: 1, sources: [{ carriedFrom: 1 }, {}] });

    const files = multipartOf([{ name: "nodes.csv", content: "id,label\nc,x\n" }]);
    const sent = await app().admin.post(`/v1/datasets/${id}/files?replace=true`).set(multipartOf.headers).send(files);
    expect(sent.body).toMatchObject({ code: "REQUEST_CONFLICT", file: "nodes.csv" });
    expect(sent.body.detail).toContain('such as "nodes-2.csv"');

    await upload(id, "nodes-2.csv", "id,label\nc,x\n");
    const { body: job, status } = await app().admin.post(`/v1/datasets/${id}/preview`).send({});
    expect({ status, job }).toMatchObject({ status: 202 });
    const stage = await app().services.prisma.stage.findFirstOrThrow({ where: { jobId: job.id } });
    expect(stage.options).toMatchObject({ addsTo: { spec, files: ["edges.csv", "nodes.csv"] } });
    const passedOver = await app().admin.put(`/v1/datasets/${id}/spec`).send(spec);
    expect(passedOver.body).toMatchObject({ code: "SPEC_INVALID", file: "nodes-2.csv" });
    const nodes = { ...spec.nodes, files: ["nodes.csv", "nodes-2.csv"] };
    await app()
      .admin.put(`/v1/datasets/${id}/spec`)
      .send({ ...spec, nodes })
      .expect(202);
    const { body: shown } = await app().admin.get(`/v1/datasets/${id}`);
    const cameWith = shown.versions[0].sources.map(({ name, carriedFrom }: Source) => [name, carriedFrom]);
    expect(Object.fromEntries(cameWith)).toEqual({ "edges.csv": 1, "nodes.csv": 1, "nodes-2.csv": null });
    expect(shown.versions.map(({ addsTo }: { addsTo: number | null }) => addsTo)).toEqual([1, null]);
  });

  it("adds rows to a graph alone", async () => {
    const id = await finishedDataset("FAILED");
    const { body } = await app().admin.post(`/v1/datasets/${id}/versions`).send({ adds: true });
    expect(body).toMatchObject({ code: "REQUEST_CONFLICT", pointer: "/adds" });
  });

  it("adds rows to the newest graph there is: a version that failed is passed over, and its files with it", async () => {
    const id = await finishedDataset();
    const spec = { edges: { files: ["edges.csv"], src: "src", dst: "dst" } };
    await app().services.prisma.datasetVersion.updateMany({ where: { datasetId: id }, data: { spec } });
    const path = `/v1/datasets/${id}/versions`;
    const { body: failed } = await app().admin.post(path).send({ adds: true }).expect(201);
    await upload(id, "more-edges.csv", "src,dst\nz,z\n");
    await app().services.prisma.datasetVersion.update({ where: { id: failed.id }, data: { state: "FAILED" } });
    const { body: next } = await app().admin.post(path).send({ adds: true }).expect(201);
    expect(next).toMatchObject({ number: 3, addsTo: 1, sources: [{ carriedFrom: 1 }, { carriedFrom: 1 }] });
    const names = next.sources.map(({ name }: Source) => name);
    expect(names.toSorted()).toEqual(["edges.csv", "nodes.csv"]);
  });

  it("may begin without files, for others", async () => {
    const id = await finishedDataset();
    const { body } = await app().admin.post(`/v1/datasets/${id}/versions`).send({ withFiles: false }).expect(201);
    expect(body).toMatchObject({ number: 2, state: "UPLOADING", sources: [] });
    await upload(id, "edges.csv", "src,dst\nc,d\n");
    expect(await contentsOf(body.id)).toEqual({ "edges.csv": "src,dst\nc,d\n" });
  });

  it("follows a finished one only, and two requests at once make one", async () => {
    const id = await finishedDataset();
    const path = `/v1/datasets/${id}/versions`;
    const answers = await Promise.all([app().admin.post(path).send({}), app().admin.post(path).send({})]);
    const made = new Set(answers.filter(({ status }) => status === 201).map(({ body }) => body.id));
    expect(made.size).toBe(1);
    const refused = await app().admin.post(path).send({});
    expect(refused.body).toMatchObject({ status: 409, code: "REQUEST_CONFLICT" });
    expect(refused.body.detail).toContain("Version 2 of the dataset is MAPPING: upload to it, or map its files");
    await app().services.prisma.datasetVersion.updateMany({
      where: { datasetId: id, number: 2 },
      data: { state: "INGESTING" },
    });
    expect((await app().admin.post(path).send({})).body.detail).toContain("wait until its graph is built");
  });

  it("is nobody's who may not see the dataset", async () => {
    const id = await finishedDataset();
    const { body: other } = await app().admin.post("/v1/projects").send({ name: "other" });
    const authorization = await keyFor(app(), "editor", other.id);
    const answer = await app().anonymous.post(`/v1/datasets/${id}/versions`).set({ authorization }).send({});
    expect(answer.body).toMatchObject({ status: 404, code: "REQUEST_NOT_FOUND" });
  });

  it("is made by GraphQL too, which tells versions apart and which newest one can be trained on", async () => {
    const id = await finishedDataset();
    const send = (query: string) => app().admin.post("/graphql").send({ query });
    const made = await send(`mutation { createDatasetVersion(dataset: "${id}") { number state files { name } } }`);
    expect(made.body.errors).toBeUndefined();
    expect(made.body.data.createDatasetVersion).toMatchObject({ number: 2, state: "MAPPING", files: [{}, {}] });
    const { body } = await send(`{ dataset(id: "${id}") {
      latest { number } newestReady { number } newest: version { number } first: version(number: 1) { number state }
      none: version(number: 9) { number }
    } }`);
    expect(body.errors).toBeUndefined();
    expect(body.data.dataset).toEqual({
      latest: { number: 2 },
      newestReady: { number: 1 },
      newest: { number: 2 },
      first: { number: 1, state: "READY" },
      none: null,
    });
    const again = await send(`mutation { createDatasetVersion(dataset: "${id}") { number } }`);
    expect(again.body.errors[0].extensions.code).toBe("REQUEST_CONFLICT");
  });
});
