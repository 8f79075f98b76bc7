import { workerAnnouncement } from "@hopwise/contracts";
import { beforeAll, expect, it } from "vitest";
import { WorkerHistory } from "../../src/workers/worker-history.ts";
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

  it("tells what a worker did whatever jobs it had, over REST and GraphQL alike, and finds its jobs", async () => {
    const { prisma } = app().services;
    const now = Date.now();
    const devices = [{ name: "0 H100", utilization: 0.5, memoryBytes: 9, powerWatts: 350 }];
    const facts = { busyCores: 1.5, memoryUsedBytes: 100, diskFreeBytes: 7, devices };
    // The first starts say less: what was not told has no point.
    const sample = (minutesAgo: number, bootId: string, version: string, told: object) => {
      return {
        workerId: "fresh",
        at: new Date(now - 60_000 * minutesAgo),
        bootId,
        version,
        slots: 2,
        heldSlots: 1,
        facts: told,
      };
    };
    await prisma.workerSample.createMany({
      data: [
        sample(1600, "old", "0.0.9", facts),
        sample(30, "b1", "0.1.0", { diskFreeBytes: 8 }),
        sample(20, "b1", "0.1.0", facts),
        sample(10, "b2", "0.2.0", facts),
      ],
    });
    const { body } = await app().admin.get("/v1/workers/fresh/history").expect(200);
    const at = [30, 20, 10].map((minutes) => now - 60_000 * minutes);
    const points = (name: string, values: number[]) => {
      const times = at.slice(-values.length);
      return { name, axis: "time", steps: times, times, values };
    };
    expect(body.series).toEqual([
      points("held/slots", [1, 1, 1]),
      points("offered/slots", [2, 2, 2]),
      points("host/cores", [1.5, 1.5]),
      points("host/memoryBytes", [100, 100]),
      points("free/diskBytes", [8, 7, 7]),
      points("0 H100/utilization", [0.5, 0.5]),
      points("0 H100/deviceMemoryBytes", [9, 9]),
      points("0 H100/watts", [350, 350]),
    ]);
    const time = (minutes: number) => new Date(now - 60_000 * minutes).toISOString();
    expect(body.boots).toEqual([
      { bootId: "b1", version: "0.1.0", from: time(30), to: time(20) },
      { bootId: "b2", version: "0.2.0", from: time(10), to: time(10) },
    ]);
    const history =
      'workerHistory(id: "fresh") { series { name axis steps values times } boots { bootId version from to } }';
    expect(
      (
        await app()
          .admin.post("/graphql")
          .send({ query: `{ ${history} }` })
      ).body.data.workerHistory,
    ).toEqual(body);
    const week = (await app().admin.get("/v1/workers/fresh/history?hours=168&maxPoints=2").expect(200)).body;
    expect(week.boots.map(({ version }: { version: string }) => version)).toEqual(["0.0.9", "0.1.0", "0.2.0"]);
    expect(week.series[0].times).toEqual([at[0], at[2]]);
    await app().admin.get("/v1/workers/nobody/history").expect(404);
    await app().admin.get("/v1/workers/fresh/history?hours=169").expect(400);

    const owner = { projectId: "default", createdBy: "admin" };
    const job = (id: string) => ({ id, ...owner, kind: "train", name: id, state: "SUCCEEDED" as const, spec: {} });
    await prisma.job.createMany({ data: ["job_alone", "job_second_host", "job_elsewhere"].map(job) });
    const run = { number: 1, bootId: "b", host: "h", device: "cpu", reason: "submitted", ranks: 1 };
    const ranBy = (id: string, jobId: string, workerId: string) => ({ id, jobId, workerId, ...owner, ...run });
    await prisma.attempt.createMany({
      data: [
        ranBy("att_1", "job_alone", "fresh"),
        ranBy("att_2", "job_second_host", "gone"),
        ranBy("att_3", "job_elsewhere", "gone"),
      ],
    });
    const slices = [{ workerId: "gone" }, { workerId: "fresh" }];
    const stage = { id: "stg_1", jobId: "job_second_host", ...owner, index: 0, kind: "train", options: {}, slices };
    await prisma.stage.create({ data: stage });
    const found = await app().admin.get("/v1/jobs?worker=fresh").expect(200);
    expect(found.body.items.map(({ id }: { id: string }) => id).toSorted()).toEqual(["job_alone", "job_second_host"]);
  });

  it("writes a row for each worker once a minute, and forgets those older than a week", async () => {
    const { prisma } = app().services;
    const announced = {
      ...announcement,
      id: "seen",
      bootId: "b",
      host: "h",
      version: "0.1.0",
      build: "x",
      contract: 1,
    };
    const use = { memoryBytes: 9, utilization: 0.5, powerWatts: 350 };
    const devices = [{ kind: "cuda", index: 0, name: "H100", memoryBytes: 80, use }];
    const said = { pid: 1, components: [], draining: false, load: { busyCores: 3, memoryUsedBytes: 5 }, devices };
    const worker = { raw: announced, announcement: workerAnnouncement.parse({ ...announced, ...said }), refusal: null };
    const eightDaysAgo = new Date(Date.now() - 8 * 86_400_000);
    const old = { workerId: "seen", at: eightDaysAgo, bootId: "b", version: "0", slots: 1, heldSlots: 0, facts: {} };
    await prisma.workerSample.create({ data: old });
    const history = new WorkerHistory(prisma);
    for (let round = 0; round < 3; round++) {
      await history.recordIfDue([{ ...worker, seenAt: 0 }], new Map([["seen", 2]]));
    }
    const rows = await prisma.workerSample.findMany({ where: { workerId: "seen" } });
    expect(rows).toMatchObject([
      {
        heldSlots: 2,
        slots: 2,
        facts: { busyCores: 3, memoryUsedBytes: 5, diskFreeBytes: 1e12, devices: [{ name: "0 H100", ...use }] },
      },
    ]);
  });
});
