import { beforeAll, expect, it } from "vitest";
import { describeEachDatabase } from "../support/each-database.ts";
import { keyFor, readyDataset } from "../support/fixtures.ts";

describeEachDatabase("a cursor", {}, (app) => {
  let job: string;
  let dataset: string;

  beforeAll(async () => {
    dataset = await readyDataset(app());
    const spec = { version: 1, kind: "train", dataset, task: { target: "label" } };
    await app().admin.post("/v1/jobs").send(spec).expect(202);
    job = (await app().admin.post("/v1/jobs").send(spec).expect(202)).body.id;
  });

  const refused = { status: 400, code: "REQUEST_INVALID", field: "after" };

  it("that no list gave is refused, for an empty page would look like the list's end", async () => {
    for (const list of ["jobs", "datasets"]) {
      expect((await app().admin.get(`/v1/${list}?after=job_nope`)).body, list).toMatchObject(refused);
      const query = `{ ${list}(after: "job_nope") { nodes { id } } }`;
      const { body } = await app().admin.post("/graphql").send({ query });
      expect(body.errors[0].extensions, list).toMatchObject({ code: "REQUEST_INVALID", field: "after" });
    }
  });

  it("of another project's node is no cursor to a key of one project", async () => {
    const project = (await app().admin.post("/v1/projects").send({ name: "others" })).body.id;
    const authorization = await keyFor(app(), "viewer", project);
    for (const [list, after] of [
      ["jobs", job],
      ["datasets", dataset],
    ]) {
      expect((await app().anonymous.get(`/v1/${list}?after=${after}`).set({ authorization })).body).toMatchObject(
        refused,
      );
    }
  });

  it("keeps its place when what it stood for has been deleted, until that is swept away", async () => {
    const first = (await app().admin.get("/v1/jobs?first=1")).body;
    expect(first).toMatchObject({ hasNextPage: true, endCursor: job });
    const { prisma } = app().services;
    await prisma.job.update({ where: { id: job }, data: { deletedAt: new Date() } });
    const next = (await app().admin.get(`/v1/jobs?first=1&after=${job}`)).body;
    expect(next.items).toHaveLength(1);
    expect(next.items[0].id).not.toBe(job);
    await prisma.job.update({ where: { id: job }, data: { deletedAt: null } });
  });

  it.each(["9999", "soon", "-1", "1e3", "99999999999"])(
    "of events or log lines that is not theirs is refused: %s",
    async (after) => {
      for (const what of [`events?after=${after}`, `logs?after=${after}`, `logs?before=${after}&last=5`]) {
        expect((await app().admin.get(`/v1/jobs/${job}/${what}`)).body, what).toMatchObject(refused);
      }
      const query = `{ job(id: "${job}") { logs(after: "${after}") { lines { message } } } }`;
      const { body } = await app().admin.post("/graphql").send({ query });
      expect(body.errors[0].extensions).toMatchObject({ code: "REQUEST_INVALID" });
    },
  );

  it("of the last event is one: what comes later follows it", async () => {
    expect((await app().admin.get(`/v1/jobs/${job}/logs?after=1`)).body).toMatchObject({ lines: [], endCursor: "1" });
  });
});
