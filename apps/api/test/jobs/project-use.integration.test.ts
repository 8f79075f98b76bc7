import { beforeAll, expect, it } from "vitest";
import { describeEachDatabase } from "../support/each-database.ts";
import { keyFor, readyDataset } from "../support/fixtures.ts";

interface Held {
  readonly projectId: string;
  readonly slots: number;
  readonly devices: number;
  /** Minutes from the beginning of the day; null: it holds them still. */
  readonly from: number;
  readonly to: number | null;
}

const day = Date.parse("2026-03-04T00:00:00Z");
const time = (minute: number) => new Date(day + minute * 60_000);

/** Adds up minute by minute what was held in it: slow, and nothing of SQL. */
function minuteByMinute(rows: readonly Held[], projectId: string, from: number, to: number) {
  const hours = { rankHours: 0, deviceHours: 0 };
  for (let minute = from; minute < to; minute++) {
    for (const row of rows) {
      if (row.projectId !== projectId || minute < row.from || (row.to !== null && minute >= row.to)) continue;
      hours.rankHours += row.slots / 60;
      hours.deviceHours += row.devices / 60;
    }
  }
  return hours;
}

/** Numbers that look like any, the same each time. */
function numbers(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

describeEachDatabase("what projects use", {}, (app) => {
  let other: string;
  let rows: Held[];

  beforeAll(async () => {
    other = (await app().admin.post("/v1/projects").send({ name: "other" })).body.id;
    const next = numbers(7);
    rows = Array.from({ length: 60 }, (_, i) => {
      const from = next(1440);
      const slots = 1 + next(8);
      const to = i % 20 === 0 ? null : from + next(400);
      return { projectId: i % 3 === 0 ? other : "default", slots, devices: next(slots + 1), from, to };
    });
    const stored = rows.map(({ from, to, ...row }, i) => {
      const times = { startedAt: time(from), endedAt: to === null ? null : time(to) };
      return { id: `held_${i}`, jobId: "job_gone", stageId: "", ...row, ...times };
    });
    await app().services.prisma.heldTime.createMany({ data: stored });
  });

  it("is the sum of what each minute held, whatever the span cuts through", async () => {
    for (const [from, to] of [
      [0, 1440],
      [100, 130],
      [-600, 60],
      [700, 2000],
    ] as const) {
      const path = `/v1/projects/use?from=${time(from).toISOString()}&to=${time(to).toISOString()}`;
      const { items } = (await app().admin.get(path).expect(200)).body;
      for (const projectId of ["default", other]) {
        const { rankHours, deviceHours } = minuteByMinute(rows, projectId, from, to);
        const found = items.find((item: { projectId: string }) => item.projectId === projectId);
        expect(found.rankHours).toBeCloseTo(rankHours, 9);
        expect(found.deviceHours).toBeCloseTo(deviceHours, 9);
      }
    }
  });

  it("has a cost once there are prices, the same over GraphQL, and what is held now", async () => {
    const prices = { currency: "EUR", perRankHour: 0.5, perDeviceHour: 2 };
    await app().admin.put("/v1/prices").send(prices).expect(200);
    const [from, to] = [time(0).toISOString(), time(1440).toISOString()];
    const { body } = await app().admin.get(`/v1/projects/use?from=${from}&to=${to}`).expect(200);
    for (const { cost, rankHours, deviceHours } of body.items)
      expect(cost).toBeCloseTo(rankHours * 0.5 + deviceHours * 2, 9);
    const open = rows.filter((row) => row.to === null && row.projectId === "default");
    expect(body.items[0]).toMatchObject({
      heldSlots: open.reduce((sum, { slots }) => sum + slots, 0),
      heldDevices: open.reduce((sum, { devices }) => sum + devices, 0),
    });
    const query = `{ projectUse(from: "${from}", to: "${to}") { from to prices { currency perRankHour perDeviceHour }
      items { projectId name rankHours deviceHours cost heldSlots heldDevices waitingJobs } } }`;
    const { data } = (await app().admin.post("/graphql").send({ query })).body;
    const items = body.items.map(({ monthRankHours: _growing, ...item }: { monthRankHours: number }) => item);
    expect(data.projectUse).toEqual({ ...body, items });
    await app().admin.delete("/v1/prices").expect(204);
    expect((await app().admin.get("/v1/projects/use").expect(200)).body).toMatchObject({
      prices: null,
      items: [{ cost: null }, { cost: null }],
    });
  });

  it("refuses spans that end before they begin, and prices and limits that are none", async () => {
    const backwards = `/v1/projects/use?from=${time(2).toISOString()}&to=${time(1).toISOString()}`;
    expect((await app().admin.get(backwards).expect(400)).body).toMatchObject({ pointer: "/to" });
    await app().admin.get("/v1/projects/use?from=yesterday").expect(400);
    const prices = { currency: "EUR", perRankHour: 1, perDeviceHour: 1 };
    for (const bad of [{ currency: "<b>" }, { currency: "" }, { perRankHour: -1 }, { perDeviceHour: "2" }])
      await app()
        .admin.put("/v1/prices")
        .send({ ...prices, ...bad })
        .expect(400);
    for (const bad of [{ slots: 0 }, { devices: -1 }, { waitingJobs: 1.5 }, { monthlyRankHours: -1 }, { jobs: 1 }])
      await app().admin.put("/v1/projects/default/limits").send(bad).expect(400);
    await app().admin.put("/v1/projects/nobody/limits").send({}).expect(404);
  });

  it("and what limits it are an admin's to see and set; a project's own admin sees its own, and sets nothing", async () => {
    for (const role of ["editor", "viewer"]) {
      const authorization = await keyFor(app(), role);
      await app().anonymous.get("/v1/projects/use").set({ authorization }).expect(403);
      await app().anonymous.put("/v1/projects/default/limits").set({ authorization }).send({}).expect(403);
    }
    const authorization = await keyFor(app(), "admin", other);
    const { items } = (await app().anonymous.get("/v1/projects/use").set({ authorization }).expect(200)).body;
    expect(items.map(({ projectId }: { projectId: string }) => projectId)).toEqual([other]);
    const own = { currency: "EUR", perRankHour: 0, perDeviceHour: 0 };
    await app().anonymous.put("/v1/prices").set({ authorization }).send(own).expect(403);
    await app().anonymous.put(`/v1/projects/${other}/limits`).set({ authorization }).send({}).expect(403);
  });

  it("refuses the job after the last that may wait, also of two at once, and takes it when there is room again", async () => {
    const dataset = await readyDataset(app());
    const limits = { slots: null, devices: null, waitingJobs: 2, monthlyRankHours: null };
    const set = await app().admin.put("/v1/projects/default/limits").send({ waitingJobs: 2 }).expect(200);
    expect(set.body.limits).toEqual(limits);
    const spec = { version: 1, kind: "train", dataset, task: { target: "label" } };
    const submit = () => app().admin.post("/v1/jobs").send(spec);
    const answers = await Promise.all([submit(), submit(), submit()]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, 202, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      code: "PROJECT_QUEUE_FULL",
      retryable: true,
      detail: expect.stringMatching(/^2 jobs of the project "default" wait, and 2 may\./),
    });
    const accepted = answers.find(({ status }) => status === 202)?.body.id;
    await app().admin.post(`/v1/jobs/${accepted}/cancel`).expect(202);
    await submit().expect(202);
    const query = `mutation { setProjectLimits(id: "default", limits: { slots: 1, devices: 0 }) {
      limits { slots devices waitingJobs monthlyRankHours } } }`;
    const { data } = (await app().admin.post("/graphql").send({ query })).body;
    expect(data.setProjectLimits.limits).toEqual({ slots: 1, devices: 0, waitingJobs: null, monthlyRankHours: null });
    for (const [resources, pointer] of [
      [{ ranks: 2 }, "/resources/ranks"],
      [{ samplers: 1 }, "/resources/ranks"],
    ] as const) {
      const refused = await app()
        .admin.post("/v1/jobs")
        .send({ ...spec, resources })
        .expect(422);
      expect(refused.body).toMatchObject({ code: "PROJECT_LIMIT", pointer });
    }
  });
});
