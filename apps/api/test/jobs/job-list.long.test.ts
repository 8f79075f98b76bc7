import { jobSortKeys } from "@hopwise/contracts";
import { beforeAll, expect, it } from "vitest";
import { changeJob } from "../../src/job-state/job-store.ts";
import { stageSucceeded } from "../../src/job-state/transitions/stage-transitions.ts";
import { describeEachDatabase } from "../support/each-database.ts";
import { readyDataset } from "../support/fixtures.ts";

describeEachDatabase("the list of jobs", {}, (app) => {
  const ids: string[] = [];

  beforeAll(async () => {
    const dataset = await readyDataset(app());
    for (const [name, type, ranks] of [
      ["b", "sage", 2],
      ["a", "gcn", 10],
      ["c", "gcn", 1],
    ] as const) {
      const spec = { version: 1, kind: "train", name, dataset, task: { target: "label" }, model: { type } };
      const { body } = await app()
        .admin.post("/v1/jobs")
        .send({ ...spec, resources: { ranks } })
        .expect(202);
      ids.push(body.id);
    }
  });

  const namesOf = async (sort: string) => {
    const { body } = await app().admin.get(`/v1/jobs?kind=train&sort=${sort}`);
    return body.items.map(({ name }: { name: string }) => name).join("");
  };

  /** Has the training of a job end with a model of this accuracy. */
  async function train(id: string, accuracy: number): Promise<void> {
    await changeJob(app().services.prisma, id, (run) => {
      const stage = run.stages.find(({ kind }) => kind === "train");
      if (!stage) throw new Error("The job has no stage train.");
      const info = { metrics: { "test/accuracy": accuracy, "test/macroF1": 0 } };
      const stored = { digest: id, reuseKey: id, bytes: 1, blobs: [] };
      const made = { id: `art_${id}`, kind: "model", prefix: id, info, ...stored };
      stageSucceeded(run, stage, made, new Date());
    });
  }

  it("is sorted by what the specs say, and by the result as soon as there is a model; jobs without one come last", async () => {
    expect(await namesOf("name")).toBe("abc");
    expect(await namesOf("-ranks")).toBe("abc");
    expect((await namesOf("model")).at(-1)).toBe("b");
    await train(ids[0] ?? "", 0.5);
    await train(ids[2] ?? "", 0.9);
    expect(await namesOf("-result")).toBe("cba");
    expect(await namesOf("result")).toBe("bca");
    const { body } = await app().admin.get(`/v1/jobs/${ids[2]}`);
    expect(body).toMatchObject({ datasetName: expect.any(String), modelType: "gcn", numRanks: 1, result: 0.9 });
  });

  it("goes on page by page in every order, without a job missing or doubled", async () => {
    for (const sort of jobSortKeys.flatMap((key) => [key, `-${key}`])) {
      const { items: whole } = (await app().admin.get(`/v1/jobs?sort=${sort}`)).body;
      const paged: unknown[] = [];
      for (let after = "", hasNext = true; hasNext; ) {
        const { body } = await app().admin.get(`/v1/jobs?sort=${sort}&first=1${after}`);
        paged.push(...body.items);
        hasNext = body.hasNextPage;
        after = `&after=${body.endCursor}`;
      }
      expect(paged, sort).toEqual(whole);
      expect(whole.length).toBeGreaterThan(2);
    }
  });

  it("sorts for GraphQL as for REST", async () => {
    const query =
      '{ jobs(filter: { kinds: ["train"] }, sort: { by: RESULT, descending: true }) { nodes { name result } } }';
    const { body } = await app().admin.post("/graphql").send({ query });
    expect(body.data.jobs.nodes).toEqual([
      { name: "c", result: 0.9 },
      { name: "b", result: 0.5 },
      { name: "a", result: null },
    ]);
    expect((await app().admin.get("/v1/jobs?sort=secret")).body).toMatchObject({ code: "REQUEST_INVALID" });
  });

  it("keeps a note of any language and as many lines, until another takes its place, also after the job's end", async () => {
    const [id = ""] = ids;
    const put = (marks: object) => app().admin.put(`/v1/jobs/${id}/marks`).send(marks);
    const note = "Baseline.\n\nÜbertrifft 基线 um 2 %\t<b>nicht fett</b>";
    expect((await put({ note, starred: false })).body).toMatchObject({ note, starred: false });
    await app().services.prisma.job.update({ where: { id }, data: { state: "SUCCEEDED" } });
    const query = "mutation ($id: ID!, $note: String) { markJob(id: $id, note: $note) { note starred } }";
    const mark = async (variables: object) =>
      (
        await app()
          .admin.post("/graphql")
          .send({ query, variables: { id, ...variables } })
      ).body;
    expect(await mark({})).toMatchObject({ data: { markJob: { note } } });
    expect(await mark({ note: "" })).toEqual({ data: { markJob: { note: "", starred: false } } });
    const tooLong = "x".repeat(10_001);
    expect((await put({ note: tooLong })).body).toMatchObject({ code: "REQUEST_INVALID", pointer: "/note" });
    expect((await mark({ note: tooLong })).errors[0].extensions).toMatchObject({ pointer: "/note" });
    await app().services.prisma.job.update({ where: { id }, data: { state: "QUEUED" } });
  });

  it("keeps stars and tags, set as often as one likes, and shows the starred alone", async () => {
    const [id] = ids;
    const put = (marks: object) => app().admin.put(`/v1/jobs/${id}/marks`).send(marks);
    for (let i = 0; i < 2; i++) expect((await put({ starred: true, tags: { team: "risk" } })).status).toBe(200);
    const query = `mutation { markJob(id: "${id}", tags: { paper: "1" }) { starred tags } }`;
    const { body } = await app().admin.post("/graphql").send({ query });
    expect(body.data.markJob).toEqual({ starred: true, tags: { paper: "1" } });
    const starred = (await app().admin.get("/v1/jobs?starred=true")).body.items;
    expect(starred.map((job: { id: string }) => job.id)).toEqual([id]);
    const tooMany = Object.fromEntries(Array.from({ length: 33 }, (_, i) => [`t${i}`, ""]));
    for (const tags of [{ "": "x" }, { a: 1 }, tooMany]) {
      expect((await put({ tags })).body, JSON.stringify(tags)).toMatchObject({ code: "REQUEST_INVALID" });
    }
    const wrong = `mutation { markJob(id: "${id}", tags: { a: 1 }) { tags } }`;
    const refused = (await app().admin.post("/graphql").send({ query: wrong })).body;
    expect(refused.errors[0].extensions).toMatchObject({ code: "REQUEST_INVALID", pointer: "/tags/a" });
  });
});
