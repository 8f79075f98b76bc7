import { readFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { limits } from "@hopwise/contracts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { changeJob } from "../../src/job-state/job-store.ts";
import { moveJob, raiseIncident } from "../../src/job-state/transitions/job-transitions.ts";
import { Leadership } from "../../src/leader/leadership.ts";
import { NoticeTeller } from "../../src/notices/notice-teller.ts";
import { WebhookSender } from "../../src/notices/webhook-sender.ts";
import { AddressGuard } from "../../src/requests/address-guard.ts";
import { sweepEnds } from "../../src/sweeps/sweep-end.ts";
import { useApp } from "../support/each-database.ts";
import { keyFor, readyDataset } from "../support/fixtures.ts";

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const app = useApp({ HOPWISE_WEBHOOK_NETWORKS: "127.0.0.1" });
const received: Received[] = [];
/** What the receiver answers; null: nothing, until its connection ends. */
let status: number | null = 204;
let receiver: Server;
let url: string;
let webhook: { id: string; secret: string };
let dataset: string;
let leader: Leadership;
let teller: NoticeTeller;

beforeAll(async () => {
  receiver = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      received.push({ headers: request.headers, body });
      if (status !== null) response.writeHead(status, { location: "http://127.0.0.1:1/" }).end();
    });
  });
  await new Promise<void>((done) => receiver.listen(0, "127.0.0.1", done));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  dataset = await readyDataset(app());
  const { prisma, registry, log, webhooks } = app().services;
  leader = new Leadership({ prisma, holder: "test", isSoleClient: true });
  await leader.campaign();
  teller = new NoticeTeller({ prisma, registry, log, ...webhooks, sweepEnds: sweepEnds(prisma, registry) });
});

afterAll(() => {
  receiver?.closeAllConnections();
  receiver?.close();
});

async function submit(name: string): Promise<string> {
  const spec = { version: 1, kind: "train", name, dataset, task: { target: "label" } };
  return (await app().admin.post("/v1/jobs").send(spec).expect(202)).body.id;
}

/** The job as it is when its last stage has ended with this accuracy. */
async function succeed(id: string, result: number): Promise<void> {
  const { prisma } = app().services;
  await prisma.job.update({ where: { id }, data: { result } });
  await changeJob(prisma, id, (run) => moveJob(run, "SUCCEEDED", new Date()));
}

/** A sender for which all retries are due at once. */
function sender(firstRetryMs = 0, timeoutMs = 5000): WebhookSender {
  const { prisma, log, webhooks } = app().services;
  const guard = new AddressGuard(["127.0.0.1"], "HOPWISE_WEBHOOK_NETWORKS");
  const made = new WebhookSender({ prisma, log, guard, secret: "of the test", firstRetryMs, timeoutMs });
  return Object.assign(made, { secretOf: (id: string) => webhooks.sender.secretOf(id) });
}

const deliveries = async () => (await app().admin.get(`/v1/webhooks/${webhook.id}/deliveries`).expect(200)).body.items;

it("a webhook is added with a secret that no later answer has, and its test says at once what came of it", async () => {
  const draft = { name: "chat", url, events: ["done", "failed", "stalled", "best"] };
  webhook = (await app().admin.post("/v1/webhooks").send(draft).expect(201)).body;
  expect(webhook.secret).toMatch(/^whk_[\w-]{43}$/);
  const listed = await app().admin.get("/v1/webhooks");
  expect(listed.body.items).toEqual([expect.objectContaining(draft)]);
  expect(listed.text).not.toContain(webhook.secret);
  const { body } = await app().admin.post(`/v1/webhooks/${webhook.id}/test`).expect(200);
  expect(body).toMatchObject({ event: "test", state: "DELIVERED", attempts: 1, status: 204, error: null, dueAt: null });
  expect(JSON.parse(received[0]?.body ?? "")).toMatchObject({
    version: 1,
    event: "test",
    delivery: body.id,
    job: null,
  });
  const stored = JSON.stringify(await app().services.prisma.webhook.findMany());
  expect(stored).not.toContain(webhook.secret);
});

it("the example of the guide verifies what is sent, and refuses another body, secret or time", async () => {
  const guide = readFileSync(new URL("../../../../docs/guides/notifications.md", import.meta.url), "utf8");
  const example = /```js\n(.*?)```/s.exec(guide)?.[1] ?? "";
  const { isFromHopwise } = (await import(`data:text/javascript,${encodeURIComponent(example)}`)) as {
    isFromHopwise: (secret: string, signature: unknown, body: string, now?: number) => boolean;
  };
  const { headers, body } = received[0] as Received;
  const signature = headers["hopwise-signature"];
  expect(isFromHopwise(webhook.secret, signature, body)).toBe(true);
  expect(isFromHopwise(webhook.secret, signature, `${body} `)).toBe(false);
  expect(isFromHopwise("whk_other", signature, body)).toBe(false);
  expect(isFromHopwise(webhook.secret, signature, body, Date.now() + 600_000)).toBe(false);
  expect(isFromHopwise(webhook.secret, "t=1", body)).toBe(false);
});

it("jobs that are done, better than all before, failed or stalled are told once, and are unread until they are read", async () => {
  const { prisma } = app().services;
  const first = await submit("first");
  await succeed(first, 0.8);
  await teller.tell(leader);
  await succeed(await submit("worse"), 0.7);
  await teller.tell(leader);
  await succeed(await submit("better"), 0.9);
  await teller.tell(leader);
  const bad = await submit("bad");
  await changeJob(prisma, bad, (run) => {
    const stalled = { code: "RANK_STALLED", message: "Rank 1 has not advanced for 10 s." };
    raiseIncident(run, null, stalled, new Date());
    raiseIncident(run, null, stalled, new Date());
  });
  await changeJob(prisma, bad, (run) => moveJob(run, "FAILED", new Date()));
  await teller.tell(leader);
  await teller.tell(leader);

  const { body } = await app().admin.get("/v1/notices").expect(200);
  const told = body.items.map(({ event, message }: { event: string; message: string }) => `${event}: ${message}`);
  expect(told.toReversed()).toEqual([
    "done: Job “first” is done: Accuracy, test 80.00 %.",
    "done: Job “worse” is done: Accuracy, test 70.00 %.",
    "done: Job “better” is done: Accuracy, test 90.00 %.",
    "best: Job “better” has the best test result of 90.00 % (Accuracy) on “cora”; Job “first” had 80.00 %.",
    "stalled: Job “bad” stands still: Rank 1 has not advanced for 10 s.",
    "failed: Job “bad” has failed: no reason was given.",
  ]);
  expect(body.unread).toBe(6);
  const query = "mutation { readNotices(upTo: 4) { unread items { number event isRead jobId message at } } }";
  const { data } = (await app().admin.post("/graphql").send({ query })).body;
  expect(data.readNotices.unread).toBe(2);
  const after = (await app().admin.post("/v1/notices/read").send({ upTo: 2 })).body;
  expect(after.unread, "what was read stays read").toBe(2);
  const small = (events: { event: string }[]) => events.map((one) => ({ ...one, event: one.event.toLowerCase() }));
  expect(after.items).toMatchObject(small(data.readNotices.items));
  expect((await app().admin.post("/v1/notices/read").send({ upTo: 2_000_000 })).body.unread).toBe(0);
  await succeed(await submit("later"), 0.1);
  await teller.tell(leader);
  expect((await app().admin.get("/v1/notices")).body.unread, "what comes later is unread").toBe(1);
});

it("deliveries go to the webhooks that asked, with links, one after the other", async () => {
  received.length = 0;
  while ((await sender().sendDue()) > 0);
  const bodies = received.map(({ body }) => JSON.parse(body));
  expect(bodies.map(({ event }) => event)).toEqual(["done", "done", "done", "best", "stalled", "failed", "done"]);
  expect(bodies[3].job).toMatchObject({ name: "better", result: 0.9, metric: "accuracy", state: "SUCCEEDED" });
  expect(bodies[3].job.url).toMatch(/^http:\/\/127\.0\.0\.1:4680\/jobs\/job_/);
});

it("what is not taken is tried again, later each time, and given up after the last attempt", async () => {
  status = 500;
  await app().admin.post(`/v1/webhooks/${webhook.id}/test`).expect(200);
  const [waits] = await deliveries();
  expect(waits).toMatchObject({ state: "PENDING", status: 500, error: "It answered 500; expected 200 to 299." });
  const firstWait = Date.parse(waits.dueAt) - Date.parse(waits.attemptedAt);
  expect(firstWait).toBeGreaterThanOrEqual(10_000);
  expect(firstWait).toBeLessThan(20_000);
  const { prisma } = app().services;
  const makeDue = () => prisma.webhookDelivery.updateMany({ data: { dueAt: new Date(0) } });
  await makeDue();
  await sender(10_000).sendDue();
  const [again] = await deliveries();
  expect(Date.parse(again.dueAt) - Date.parse(again.attemptedAt)).toBeGreaterThanOrEqual(40_000);
  for (let attempts = 2; attempts < limits.webhookAttempts; attempts++) {
    await makeDue();
    expect(await sender().sendDue()).toBe(1);
  }
  expect((await deliveries())[0]).toMatchObject({ state: "FAILED", attempts: limits.webhookAttempts, dueAt: null });
  await makeDue();
  expect(await sender().sendDue()).toBe(0);
});

it("a redirect is not followed, and who answers nothing is left after the time limit", async () => {
  status = 302;
  const { body } = await app().admin.post(`/v1/webhooks/${webhook.id}/test`);
  expect(body).toMatchObject({
    state: "PENDING",
    status: 302,
    error: expect.stringContaining("redirects are not followed"),
  });
  status = null;
  await app().services.prisma.webhookDelivery.updateMany({ data: { dueAt: new Date(0) } });
  await sender(0, 50).sendDue();
  expect((await deliveries())[0]).toMatchObject({
    attempts: 2,
    status: null,
    error: "There was no answer within 0.05 s.",
  });
});

it("an attempt that was cut off is made up for by whoever comes next, under the same id", async () => {
  const { prisma } = app().services;
  await prisma.webhookDelivery.deleteMany();
  const job = await submit("cut off");
  await succeed(job, 0.2);
  await teller.tell(leader);
  received.length = 0;
  const first = sender();
  const cutOff = first.sendDue();
  await expect.poll(() => received.length).toBe(1);
  first.stop();
  await cutOff;
  expect((await deliveries())[0]).toMatchObject({ state: "PENDING", attempts: 1 });
  expect(await sender().sendDue(), "nobody else tries while the first may be at it").toBe(0);
  status = 200;
  await sender().sendDue(new Date(Date.now() + 60_000));
  expect(received.map(({ headers }) => headers["hopwise-delivery"])).toEqual([
    received[0]?.headers["hopwise-delivery"],
    received[0]?.headers["hopwise-delivery"],
  ]);
  expect((await deliveries())[0]).toMatchObject({ state: "DELIVERED", attempts: 2 });
});

it("an address inside, another scheme and credentials are refused when they are named", async () => {
  const add = (bad: string) =>
    app()
      .admin.post("/v1/webhooks")
      .send({ name: "x", url: bad, events: ["done"] });
  for (const bad of [
    "http://169.254.169.254/latest",
    "http://[::1]/",
    "ftp://example.com/",
    "https://a:b@example.com/",
    "x",
  ])
    expect((await add(bad)).body, bad).toMatchObject({ code: "REQUEST_INVALID", pointer: "/url" });
});

it("a key of one project has that project's notices and webhooks alone", async () => {
  const project = (await app().admin.post("/v1/projects").send({ name: "other" })).body.id;
  const authorization = await keyFor(app(), "admin", project);
  const other = <R extends { set(name: string, value: string): R }>(request: R) =>
    request.set("authorization", authorization);
  expect((await other(app().anonymous.get("/v1/notices"))).body.items).toEqual([]);
  expect((await other(app().anonymous.get("/v1/webhooks"))).body.items).toEqual([]);
  await other(app().anonymous.post(`/v1/webhooks/${webhook.id}/test`)).expect(404);
  const draft = { name: "theirs", url, events: ["done"] };
  const own = await other(app().anonymous.post("/v1/webhooks")).send(draft).expect(201);
  expect(own.body.projectId).toBe(project);
  await app().services.prisma.webhookDelivery.deleteMany();
  await succeed(await submit("not theirs"), 0.3);
  await teller.tell(leader);
  const rows = await app().services.prisma.webhookDelivery.findMany();
  expect(rows.map(({ webhookId }) => webhookId)).toEqual([webhook.id]);
});

it("of deliveries and notices the newest are kept", async () => {
  const { prisma } = app().services;
  const body = { webhookId: webhook.id, event: "done", body: "{}", state: "PENDING" as const, dueAt: new Date() };
  const old = Array.from({ length: limits.webhookDeliveries + 5 }, (_, i) => ({
    ...body,
    id: `old_${i}`,
    createdAt: new Date(i),
  }));
  await prisma.webhookDelivery.createMany({ data: old });
  const job = await submit("last");
  const notices = Array.from({ length: limits.notices }, (_, i) => i + 1000).map((number) => ({
    id: `n${number}`,
    jobId: job,
    projectId: "default",
    attempt: number,
    event: "stalled",
    message: "",
    at: new Date(),
    number,
  }));
  await prisma.notice.createMany({ data: notices });
  await succeed(job, 0.4);
  await teller.tell(leader);
  expect(await prisma.webhookDelivery.count({ where: { webhookId: webhook.id } })).toBe(limits.webhookDeliveries);
  const kept = await prisma.notice.findMany({ orderBy: { number: "asc" } });
  expect([kept.length, kept[0]?.number, kept.at(-1)?.number]).toEqual([500, 1001, 1500]);
  await app().admin.delete(`/v1/webhooks/${webhook.id}`).expect(204);
  expect(await prisma.webhookDelivery.count({ where: { webhookId: webhook.id } })).toBe(0);
});
