import type { AddressInfo } from "node:net";
import { limits } from "@hopwise/contracts";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { Mailer } from "../../src/notices/mail/mailer.ts";
import { WebhookSender } from "../../src/notices/webhook-sender.ts";
import { AddressGuard } from "../../src/requests/address-guard.ts";
import { useApp } from "../support/each-database.ts";
import { startApp, type TestApp } from "../support/start-app.ts";

interface Received {
  readonly from: string;
  readonly to: readonly string[];
  readonly user: string | undefined;
  readonly content: string;
}

const received: Received[] = [];
/** What the server answers to a receiver: taken, refused for good, refused for now. */
let answer: "take" | "unknown" | "busy" = "take";
let server: SMTPServer;
let port: number;
let app: TestApp;
let subscription: string;
const password = "p@ss:wörd/7";

const unconfigured = useApp();

beforeAll(async () => {
  server = new SMTPServer({
    allowInsecureAuth: true,
    disabledCommands: ["STARTTLS"],
    onAuth: ({ username, password: given }, _session, done) => {
      if (username === "hop" && given === password) done(null, { user: username });
      else done(new Error(`Wrong password ${given}`));
    },
    onRcptTo: (_address, _session, done) => {
      if (answer === "take") done();
      else done(Object.assign(new Error("No such mailbox here"), { responseCode: answer === "unknown" ? 550 : 451 }));
    },
    onData: (stream, { envelope, user }, done) => {
      let content = "";
      stream.setEncoding("utf8");
      stream.on("data", (chunk: string) => {
        content += chunk;
      });
      stream.on("end", () => {
        const to = envelope.rcptTo.map(({ address }) => address);
        received.push({ from: envelope.mailFrom ? envelope.mailFrom.address : "", to, user, content });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.server.address() as AddressInfo).port;
  app = await startApp({ HOPWISE_SMTP_URL: urlWith(password), HOPWISE_MAIL_FROM: "hopwise@house.example" });
});
afterAll(async () => {
  await app?.close();
  await new Promise<void>((resolve) => server.close(() => resolve()));
});
beforeEach(() => {
  received.length = 0;
  answer = "take";
});

function urlWith(secret: string): string {
  return `smtp://hop:${encodeURIComponent(secret)}@127.0.0.1:${port}`;
}

const subscribe = (url: string, to = app) =>
  to.admin.post("/v1/webhooks").send({ name: "the team", url, events: ["done", "failed"] });
const deliveries = async () => (await app.admin.get(`/v1/webhooks/${subscription}/deliveries`).expect(200)).body.items;

function senderWith(secret: string): WebhookSender {
  const { prisma, log } = app.services;
  const about = { from: "hopwise@house.example", publicUrl: "https://hop.example", timeoutMs: 2000 };
  const mailer = new Mailer({ smtpUrl: urlWith(secret), ...about });
  return new WebhookSender({
    prisma,
    log,
    guard: new AddressGuard([], "HOPWISE_WEBHOOK_NETWORKS"),
    secret: "of the test",
    mailer,
    firstRetryMs: 0,
  });
}

it("is subscribed to without a secret, tested at once, and logged as a webhook's delivery is", async () => {
  const { body } = await subscribe("mailto:team@example.com").expect(201);
  subscription = body.id;
  expect(body).toMatchObject({ url: "mailto:team@example.com", secret: null });
  const listed = (await app.admin.get("/v1/webhooks").expect(200)).body;
  expect(listed).toMatchObject({ mailFrom: "hopwise@house.example", items: [{ id: subscription }] });
  const { data } = (await app.admin.post("/graphql").send({ query: "{ mailFrom webhooks { url } }" })).body;
  expect(data).toEqual({ mailFrom: "hopwise@house.example", webhooks: [{ url: "mailto:team@example.com" }] });
  const tested = (await app.admin.post(`/v1/webhooks/${subscription}/test`).expect(200)).body;
  expect(tested).toMatchObject({ event: "test", state: "DELIVERED", status: 250, error: null });
  const [mail] = received as [Received];
  expect(mail).toMatchObject({ from: "hopwise@house.example", to: ["team@example.com"], user: "hop" });
  expect(mail.content).toMatch(/^Message-ID: <delivery_\w+@house\.example>\r$/im);
  expect(mail.content).toMatch(/^Auto-Submitted: auto-generated\r$/im);
  expect(mail.content).toContain("multipart/alternative");
  expect(JSON.stringify(await deliveries())).not.toContain(password);
});

it("says what a job is called, and no word of it becomes a header or a receiver", async () => {
  const { prisma } = app.services;
  const message = "Job “x\r\nBcc: thief@evil.example\r\n\r\n<b>” is done.";
  const body = JSON.stringify({ event: "done", message, at: new Date().toISOString(), job: null });
  await prisma.webhook.update({ where: { id: subscription }, data: { name: "x\r\nTo: thief@evil.example" } });
  const due = { webhookId: subscription, event: "done", dueAt: new Date(0) };
  await prisma.webhookDelivery.create({ data: { id: "delivery_hostile", ...due, body } });
  await senderWith(password).sendDue();
  const [mail] = received as [Received];
  expect(mail.to).toEqual(["team@example.com"]);
  const head = mail.content.slice(0, mail.content.indexOf("\r\n\r\n"));
  const names = [...head.matchAll(/^([\w-]+):/gm)].map(([, name]) => name?.toLowerCase());
  expect(names).not.toContain("bcc");
  expect(names.filter((name) => name === "to")).toHaveLength(1);
  expect((await deliveries())[0]).toMatchObject({ state: "DELIVERED" });
});

it("is given up when the server knows no such mailbox, and tried again when it is busy or away", async () => {
  answer = "unknown";
  const refused = (await app.admin.post(`/v1/webhooks/${subscription}/test`).expect(200)).body;
  expect(refused).toMatchObject({ state: "FAILED", status: 550, attempts: 1, dueAt: null });
  expect(refused.error).toContain("No such mailbox here");
  answer = "busy";
  const busy = (await app.admin.post(`/v1/webhooks/${subscription}/test`).expect(200)).body;
  expect(busy).toMatchObject({ state: "PENDING", status: 451, attempts: 1 });
  answer = "take";
  await app.services.prisma.webhookDelivery.updateMany({ where: { id: busy.id }, data: { dueAt: new Date(0) } });
  await senderWith(password).sendDue();
  expect((await deliveries()).find(({ id }: { id: string }) => id === busy.id)).toMatchObject({ state: "DELIVERED" });
});

it("waits when the password is wrong, and says so without it", async () => {
  const { prisma } = app.services;
  const body = JSON.stringify({ event: "done", message: "m", at: new Date().toISOString(), job: null });
  const due = { webhookId: subscription, event: "done", dueAt: new Date(0) };
  await prisma.webhookDelivery.create({ data: { id: "delivery_wrong", ...due, body } });
  await senderWith("wrong-secret").sendDue();
  const found = await prisma.webhookDelivery.findUniqueOrThrow({ where: { id: "delivery_wrong" } });
  expect(found).toMatchObject({ state: "PENDING", attempts: 1, status: 535 });
  expect(found.error).toMatch(/Wrong password …/);
  expect(received).toEqual([]);
});

it("is sent so often in an hour to one subscription, and later then, without an attempt", async () => {
  const { prisma } = app.services;
  const old = { webhookId: subscription, event: "done", body: "{}", state: "DELIVERED" as const, dueAt: new Date() };
  const attemptedAt = new Date(Date.now() - 60_000);
  const many = Array.from({ length: limits.mailsPerHour }, (_, i) => ({ id: `sent_${i}`, ...old, attemptedAt }));
  await prisma.webhookDelivery.createMany({ data: many });
  const put = (await app.admin.post(`/v1/webhooks/${subscription}/test`).expect(200)).body;
  expect(put).toMatchObject({ state: "PENDING", attempts: 0 });
  expect(put.error).toContain(`${limits.mailsPerHour} e-mails were sent to it within an hour`);
  expect(Date.parse(put.dueAt)).toBeGreaterThan(Date.now() + 500_000);
  expect(received).toEqual([]);
  await prisma.webhookDelivery.updateMany({ data: { attemptedAt: new Date(Date.now() - 3_700_000) } });
  await prisma.webhookDelivery.updateMany({ where: { id: put.id }, data: { dueAt: new Date(0) } });
  await senderWith(password).sendDue();
  expect(received).toHaveLength(1);
});

it("goes to one plain address alone", async () => {
  for (const bad of ["a@b,c@d", "A%20<a@b>", "a@b?bcc=c@d", "", "a@b%0d%0aBcc:c@d"])
    expect((await subscribe(`mailto:${bad}`).expect(400)).body).toMatchObject({ pointer: "/url" });
});

it("is not offered where no server is named, with what to set, and what was subscribed waits", async () => {
  const { body } = await subscribe("mailto:team@example.com", unconfigured()).expect(409);
  expect(body).toMatchObject({ code: "MAIL_NOT_CONFIGURED", detail: expect.stringContaining("HOPWISE_SMTP_URL") });
  expect((await unconfigured().admin.get("/v1/webhooks").expect(200)).body).toEqual({ items: [], mailFrom: null });
});
