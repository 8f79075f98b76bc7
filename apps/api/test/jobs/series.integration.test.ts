import { expect, it } from "vitest";
import { readSeries } from "../../src/jobs/series.ts";
import { describeEachDatabase } from "../support/each-database.ts";
import { readyDataset } from "../support/fixtures.ts";

describeEachDatabase("the series of a job", {}, (app) => {
  it("are thinned evenly with their last point kept, and those that are short enough left whole", async () => {
    const spec = { version: 1, kind: "train", dataset: await readyDataset(app()), task: { target: "label" } };
    const { body: job } = await app().admin.post("/v1/jobs").send(spec).expect(202);
    const at = new Date("2026-11-20T20:00:00.123Z");
    const times = (count: number) => Array.from({ length: count }, () => at.getTime());
    const row = { jobId: job.id, projectId: "default", createdBy: "admin", attempt: 1, at };
    const points = (name: string, axis: string, steps: readonly number[]) =>
      steps.map((step) => ({ ...row, name, axis, step, value: step === 3 ? null : step / 2 }));
    const to = (last: number) => Array.from({ length: last }, (_, i) => i + 1);
    await app().services.prisma.metric.createMany({
      data: [...points("train/loss", "epoch", to(1000)), ...points("lr", "step", to(4)), ...points("z", "epoch", [7])],
    });
    const read = (request: { names?: string[]; maxPoints?: number }) =>
      readSeries(app().services, job.id, { maxPoints: 1000, ...request });
    const [lr, loss, z] = await read({ maxPoints: 5 });
    expect(lr).toEqual({ name: "lr", axis: "step", steps: [1, 2, 3, 4], values: [0.5, 1, null, 2], times: times(4) });
    expect(loss).toEqual({
      name: "train/loss",
      axis: "epoch",
      steps: [1, 251, 501, 751, 1000],
      values: [0.5, 125.5, 250.5, 375.5, 500],
      times: times(5),
    });
    expect(z).toEqual({ name: "z", axis: "epoch", steps: [7], values: [3.5], times: times(1) });
    expect((await read({ names: ["z", "nothing"] })).map(({ name }) => name)).toEqual(["z"]);
    expect(await read({ names: [] })).toEqual([]);
    expect((await read({ maxPoints: 1000 })).map(({ steps }) => steps.length)).toEqual([4, 1000, 1]);

    const names = Array.from({ length: 201 }, (_, i) => `m${i}`);
    for (const [asked, query] of [
      ["maxPoints: 10001", "maxPoints=10001"],
      ["maxPoints: 1", "maxPoints=1"],
      [`names: ${JSON.stringify(names)}`, `names=${names.join(",")}`],
    ] as const) {
      const body = { query: `{ job(id: "${job.id}") { series(${asked}) { name } } }` };
      const { errors } = (await app().admin.post("/graphql").send(body)).body;
      expect(errors[0].message, asked.slice(0, 20)).toMatch(/maxPoints|names/);
      await app().admin.get(`/v1/jobs/${job.id}/series?${query}`).expect(400);
    }
  });

  it("of use are told by what each process reported, at the mean between two reports", async () => {
    const { prisma } = app().services;
    const spec = { version: 1, kind: "train", dataset: await readyDataset(app()), task: { target: "label" } };
    const { body: job } = await app().admin.post("/v1/jobs").send(spec).expect(202);
    const owner = { jobId: job.id, projectId: "default", createdBy: "admin" };
    const place = { host: "h", device: "cpu", localRank: 0 };
    for (const index of [0, 1]) {
      await prisma.member.create({ data: { ...owner, ...place, attempt: 2, kind: "rank", index } });
    }
    const start = Date.parse("2026-11-20T20:00:00.000Z");
    const report = (index: number, seconds: number, seedsPerSecond: number | null) => ({
      member: { kind: "rank", index },
      step: seconds,
      device: "cpu",
      seedsPerSecond,
      breakdown: null,
      rssBytes: 1000 + seconds,
      // Half a core, 30 bytes a second of storage and 8 of the network; rank 1 came from a worker that counts nothing.
      ...(index === 0 && {
        usage: {
          cpuSeconds: seconds / 2,
          readBytes: 10 * seconds,
          writtenBytes: 20 * seconds,
          networkBytes: 8 * seconds,
        },
      }),
      localRows: 0,
      remoteRows: 0,
      cachedRows: 0,
    });
    // An earlier attempt says nothing of this one; what lies between the reports is passed over.
    const row = (cursor: number, attempt: number, type: string, seconds: number, body: object) => {
      return { ...owner, cursor, attempt, type, at: new Date(start + 1000 * seconds), body };
    };
    const log = { level: "info", member: { kind: "rank", index: 0 }, message: "x", fields: null };
    const events = [row(10, 1, "RankUpdated", -100, report(0, 9, 9))];
    for (let i = 0; i < 1000; i++) {
      events.push(row(3 * i + 11, 2, "RankUpdated", i, report(0, i, null)));
      events.push(row(3 * i + 12, 2, "LogAppended", i, log));
      events.push(row(3 * i + 13, 2, "RankUpdated", i, report(1, i, 100 * i)));
    }
    await prisma.jobEvent.createMany({ data: events });
    await prisma.job.update({ where: { id: job.id }, data: { attempt: 2, cursor: 3010 } });

    const { body: series } = await app().admin.get(`/v1/jobs/${job.id}/usage?maxPoints=10`).expect(200);
    const named = new Map(series.map((one: { name: string }) => [one.name, one]));
    expect([...named.keys()]).toEqual([
      "rank 0/cores",
      "rank 0/memoryBytes",
      "rank 0/storageBytesPerSecond",
      "rank 0/networkBytesPerSecond",
      "rank 1/memoryBytes",
      "rank 1/seedsPerSecond",
    ]);
    // Ten ranges of 300 cursors, thus 100 seconds.
    const seconds = [0, 100, 200, 300, 400, 500, 600, 700, 800, 900];
    const times = seconds.map((second) => start + 1000 * second);
    expect(named.get("rank 0/memoryBytes")).toMatchObject({
      axis: "time",
      times,
      values: seconds.map((s) => 1000 + s),
    });
    const rates = times.slice(1);
    const constant = (value: number) => ({ times: rates, values: rates.map(() => value) });
    expect(named.get("rank 0/cores")).toMatchObject(constant(0.5));
    expect(named.get("rank 0/storageBytesPerSecond")).toMatchObject(constant(30));
    expect(named.get("rank 0/networkBytesPerSecond")).toMatchObject(constant(8));
    expect(named.get("rank 1/seedsPerSecond")).toMatchObject({ values: seconds.map((s) => 100 * s) });
    const query = `{ job(id: "${job.id}") { usage(maxPoints: 10) { name axis steps values times } } }`;
    expect((await app().admin.post("/graphql").send({ query })).body.data.job.usage).toEqual(series);

    const tooMany = { query: query.replace("10)", "1001)") };
    const { errors } = (await app().admin.post("/graphql").send(tooMany)).body;
    expect(errors[0].message).toMatch(/maxPoints/);
    await app().admin.get(`/v1/jobs/${job.id}/usage?maxPoints=1001`).expect(400);
  });
});
