import { beforeAll, expect, it } from "vitest";
import { describeEachDatabase } from "../support/each-database.ts";
import { keyFor, readyDataset } from "../support/fixtures.ts";

const query =
  "{ workers { id state compatible reason slots cores memoryBytes diskFreeBytes isa labels rankAddress devices { kind } running { jobId } } }";

describeEachDatabase("the list of workers", {}, (app) => {
  const row = (id: string, announcement: object, lastSeen: Date) => ({
    id,
    bootId: "b",
    host: id,
    version: "0.1.0",
    build: "test",
    contract: 1,
    compatible: true,
    announcement,
    lastSeen,
  });
  const announcement = {
    slots: 2,
    cores: 4,
    memoryBytes: 1e12,
    diskFreeBytes: 1e12,
    isa: "avx2",
    labels: { zone: "a" },
    rankAddress: "10.0.0.2",
    running: [],
    devices: [{ kind: "cpu", index: 0, name: "x", memoryBytes: 1e12 }],
  };

  beforeAll(async () => {
    const { worker } = app().services.prisma;
    await worker.create({ data: row("fresh", announcement, new Date()) });
    await worker.create({ data: row("gone", announcement, new Date(Date.now() - 3_600_000)) });
    const strange = row("strange", { slots: "two", devices: { gpu: 1 } }, new Date());
    await worker.create({ data: { ...strange, contract: 99, compatible: false, reason: "It speaks contract 99." } });
  });

  it("shows a worker of another contract, with what of it can be understood", async () => {
    const { body } = await app().admin.post("/graphql").send({ query });
    expect(body.errors).toBeUndefined();
    const [fresh, gone, strange] = ["fresh", "gone", "strange"].map((id) =>
      body.data.workers.find((worker: { id: string }) => worker.id === id),
    );
    expect(fresh).toMatchObject({
      state: "ONLINE",
      slots: 2,
      cores: 4,
      labels: { zone: "a" },
      devices: [{}],
      rankAddress: "10.0.0.2",
    });
    expect(gone).toMatchObject({ state: "OFFLINE" });
    expect(strange).toMatchObject({
      compatible: false,
      reason: "It speaks contract 99.",
      slots: 0,
      devices: [],
      rankAddress: null,
    });
  });

  it("says OFFLINE of a worker that nobody has heard of for long, over REST too", async () => {
    const { body } = await app().admin.get("/v1/workers");
    const states = Object.fromEntries(
      body.items.map((worker: { id: string; state: string }) => [worker.id, worker.state]),
    );
    expect(states).toEqual({ fresh: "ONLINE", gone: "OFFLINE", strange: "ONLINE" });
  });

  it("shows a key of one project the running stages of that project's jobs alone", async () => {
    const { prisma } = app().services;
    const project = (await app().admin.post("/v1/projects").send({ name: "theirs" })).body.id;
    const job = { createdBy: "admin", kind: "train", name: "", spec: {} };
    await prisma.job.create({ data: { ...job, id: "job_theirs", projectId: project } });
    await prisma.job.create({ data: { ...job, id: "job_ours", projectId: "default" } });
    const stage = (jobId: string) => ({ jobId, attempt: 1, stageIndex: 0 });
    const running = [stage("job_theirs"), stage("job_ours")];
    const busy = { ...announcement, running };
    await prisma.worker.update({ where: { id: "fresh" }, data: { announcement: busy } });
    const seenBy = async (authorization: string) => {
      const rest = await app().anonymous.get("/v1/workers").set({ authorization });
      const graphql = await app().anonymous.post("/graphql").set({ authorization }).send({ query });
      const fresh = (all: { id: string }[]) => all.find(({ id }) => id === "fresh");
      const { running: said } = fresh(rest.body.items) as unknown as typeof busy;
      const { running: shown } = fresh(graphql.body.data.workers) as unknown as typeof busy;
      return { rest: said.map(({ jobId }) => jobId), graphql: shown.map(({ jobId }) => jobId) };
    };
    const all = ["job_theirs", "job_ours"];
    expect(await seenBy(await keyFor(app(), "viewer"))).toEqual({ rest: all, graphql: all });
    const own = ["job_theirs"];
    expect(await seenBy(await keyFor(app(), "admin", project))).toEqual({ rest: own, graphql: own });
    await prisma.job.deleteMany({});
    await prisma.worker.update({ where: { id: "fresh" }, data: { announcement } });
  });

  it("decides at submit that no worker has slots for so many ranks: JOB_TOO_LARGE with what to do", async () => {
    const dataset = await readyDataset(app());
    const spec = { version: 1, kind: "train", dataset, task: { target: "label" }, resources: { ranks: 3 } };
    const { body } = await app().admin.post("/v1/jobs").send(spec);
    expect(body).toMatchObject({ status: 422, code: "JOB_TOO_LARGE", pointer: "/resources/ranks" });
    expect(body.detail).toMatch(/asks for 3 ranks.*has 2 slots.*Set resources\.ranks to 2/);
    expect(await app().services.prisma.job.count()).toBe(0);
  });

  it("decides at submit that no worker has the device that a job names, over REST and GraphQL alike", async () => {
    const { worker } = app().services.prisma;
    const dataset = await readyDataset(app());
    const specFor = (device: string) => ({
      version: 1,
      kind: "train",
      dataset,
      task: { target: "label" },
      resources: { device },
    });
    const rest = (device: string) => app().admin.post("/v1/jobs").send(specFor(device));
    const refused = { code: "JOB_DEVICE_UNAVAILABLE", pointer: "/resources/device" };

    const { body } = await rest("cuda");
    expect(body).toMatchObject({ status: 422, ...refused });
    expect(body.detail).toMatch(/no worker that is online has a CUDA device/);
    expect(body.detail).toMatch(/Announced now: cpu \(x\) on fresh\. Set resources\.device to "auto" or "cpu", or add/);
    expect(body.detail).toContain("docs/guides/gpu.md");
    const mutation = "mutation($spec: JobSpecInput!) { submitJob(spec: $spec) { id } }";
    const graphql = await app()
      .admin.post("/graphql")
      .send({ query: mutation, variables: { spec: specFor("cuda") } });
    expect(graphql.body.errors[0]).toMatchObject({ message: body.detail, extensions: refused });
    const estimated = await app().admin.post("/v1/jobs/estimate").send(specFor("cuda"));
    expect(estimated.body).toMatchObject({ fits: false, notes: [body.detail, expect.anything()] });
    expect(await app().services.prisma.job.count()).toBe(0);

    // One that had it a moment ago may be restarting; one that left an hour ago has left.
    const cuda = { ...announcement, devices: [{ kind: "cuda", index: 0, name: "H100", memoryBytes: 1e12 }] };
    const seen = (ms: number) => ({ ...row("gpu", cuda, new Date(Date.now() - ms)), state: "OFFLINE" as const });
    await worker.create({ data: seen(3_600_000) });
    expect((await rest("cuda")).body).toMatchObject(refused);
    await worker.update({ where: { id: "gpu" }, data: seen(60_000) });
    const waiting = await rest("cuda");
    expect(waiting.status).toBe(202);
    expect(waiting.body.estimate.notes).toContainEqual(
      expect.stringMatching(/last worker with a CUDA device, gpu on gpu, was seen at .*the job will wait/),
    );
    // Back with another backend it has the device no more.
    await worker.update({ where: { id: "gpu" }, data: row("gpu", announcement, new Date()) });
    expect((await rest("cuda")).body).toMatchObject(refused);

    await worker.updateMany({ where: { id: { in: ["fresh", "gpu"] } }, data: { announcement: cuda } });
    expect((await rest("cuda")).status).toBe(202);
    expect((await rest("auto")).status).toBe(202);
    expect((await rest("cpu")).body).toMatchObject(refused);
    await app().services.prisma.job.deleteMany({});
    await worker.delete({ where: { id: "gpu" } });
    await worker.update({ where: { id: "fresh" }, data: { announcement } });
  });

  it("decides at submit by what several workers have together that reach each other, and counts sampler processes", async () => {
    const { worker } = app().services.prisma;
    await worker.create({ data: row("second", { ...announcement, rankAddress: "10.0.0.3" }, new Date()) });
    const dataset = await readyDataset(app());
    const estimate = async (resources: object) => {
      const spec = { version: 1, kind: "train", dataset, task: { target: "label" }, resources };
      return (await app().admin.post("/v1/jobs/estimate").send(spec)).body;
    };
    const refusal = async (resources: object) => {
      const spec = { version: 1, kind: "train", dataset, task: { target: "label" }, resources };
      return (await app().admin.post("/v1/jobs").send(spec)).body;
    };

    expect(await estimate({ ranks: 3, samplers: 1 })).toMatchObject({ fits: true });
    const tooMany = await refusal({ ranks: 3, samplers: 2 });
    expect(tooMany).toMatchObject({ status: 422, code: "JOB_TOO_LARGE", pointer: "/resources/samplers" });
    expect(tooMany.detail).toMatch(
      /asks for 3 ranks and 2 sampler processes on several workers.*4 slots\. Set resources\.samplers to 1 or less/,
    );
    const onOne = await refusal({ ranks: 2, samplers: 1, hosts: 1 });
    expect(onOne.detail).toMatch(
      /on one worker; the largest online has 2 slots\. Set resources\.samplers to 0 or less/,
    );

    // Room for two ranks and half a sampler process in the memory of one, for all in that of both
    const { memoryBytesPerRank, memoryBytesPerSampler } = await estimate({ ranks: 2, samplers: 1 });
    const memoryBytes = 2 * memoryBytesPerRank + memoryBytesPerSampler / 2;
    const small = { ...announcement, memoryBytes };
    await worker.update({ where: { id: "fresh" }, data: { announcement: small } });
    await worker.update({ where: { id: "second" }, data: { announcement: { ...small, rankAddress: "10.0.0.3" } } });
    expect(await estimate({ ranks: 2, hosts: 1 })).toMatchObject({ fits: true });
    expect(await estimate({ ranks: 2, samplers: 1, hosts: 2 })).toMatchObject({ fits: true });
    const tooLarge = await refusal({ ranks: 2, samplers: 1, hosts: 1 });
    expect(tooLarge.detail).toMatch(/The job needs about .* of memory; the largest worker has/);
    await worker.update({ where: { id: "fresh" }, data: { announcement } });
    await worker.delete({ where: { id: "second" } });
  });
});
