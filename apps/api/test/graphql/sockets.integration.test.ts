import { limits } from "@hopwise/contracts";
import { describe, expect, it } from "vitest";
import { useApp } from "../support/each-database.ts";
import { keyFor, readyDataset } from "../support/fixtures.ts";
import { addressOf, openSocket, rawSocket } from "../support/graphql-socket.ts";
import type { TestApp } from "../support/start-app.ts";

const follows = "subscription ($jobId: ID!) { jobEvents(jobId: $jobId) { cursor } }";

async function queuedJob(app: TestApp): Promise<string> {
  const spec = { version: 1, kind: "train", dataset: await readyDataset(app), task: { target: "label" } };
  return (await app.admin.post("/v1/jobs").send(spec).expect(202)).body.id;
}

describe("a socket", () => {
  const app = useApp();

  it("is closed when its first message does not come", async () => {
    const { closed } = rawSocket(app());
    expect(await closed).toEqual({ code: 4408, reason: "Connection initialisation timeout" });
  });

  it("is closed when its first message brings no key, a wrong one, or comes after another", async () => {
    const nobody = rawSocket(app());
    await nobody.opened;
    nobody.socket.send(`{"type":"connection_init"}`);
    expect(await nobody.closed).toMatchObject({ code: 4401, reason: expect.stringContaining("AUTH_REQUIRED") });
    const wrong = rawSocket(app());
    await wrong.opened;
    wrong.socket.send(`{"type":"connection_init","payload":{"authorization":"Bearer hw_nonsense"}}`);
    expect(await wrong.closed).toMatchObject({ code: 4401, reason: expect.stringContaining("AUTH_INVALID") });
    const early = rawSocket(app());
    await early.opened;
    early.socket.send(`{"type":"subscribe","id":"1","payload":{"query":"{ me { role } }"}}`);
    expect((await early.closed).code).toBe(4401);
  });

  const init = `{"type":"connection_init"}`;
  it.each([
    { what: "nested too deeply", text: `{"type":"ping","payload":${"[".repeat(5000)}`, code: 4400 },
    { what: "of too many values", text: `{"type":"ping","payload":{"a":[${"1,".repeat(200_000)}1]}}`, code: 4400 },
    { what: "larger than a request may be", text: " ".repeat(limits.jsonBodyBytes + 1), code: 1009 },
    { what: "that is no JSON", text: "hello", code: 4400 },
    { what: "whose document is a tree", text: `{"type":"subscribe","id":"1","payload":{"query":{}}}`, code: 4400 },
    {
      what: "of another protocol",
      text: `{"type":"start","id":"1","payload":{"query":"{ me { role } }"}}`,
      code: 4400,
    },
  ])("is closed after a message $what", async ({ text, code }) => {
    const { socket, opened, closed } = rawSocket(app(), { authorization: `Bearer ${app().adminKey}` });
    await opened;
    socket.send(init);
    socket.send(text);
    expect((await closed).code).toBe(code);
    await app().anonymous.get("/healthz").expect(200);
  });

  it("answers operations as requests are answered, and ends one subscription beside another", async () => {
    const jobId = await queuedJob(app());
    const socket = await openSocket(app(), { authorization: await keyFor(app(), "viewer") });
    const first = socket.client.iterate({ query: follows, variables: { jobId } });
    const second = socket.client.iterate({ query: follows, variables: { jobId } });
    expect((await first.next()).value).toMatchObject({ data: { jobEvents: { cursor: "1" } } });
    await first.return?.();
    expect((await second.next()).value).toMatchObject({ data: { jobEvents: { cursor: "1" } } });
    const denied = await socket.run(`mutation { createApiKey(input: { name: "x", role: ADMIN }) { secret } }`);
    expect(denied).toMatchObject({ errors: [{ extensions: { code: "AUTH_FORBIDDEN", status: 403 } }] });
    const unknown = socket.run("{ me { nonsense } }");
    await expect(unknown).rejects.toMatchObject([{ extensions: { code: "REQUEST_INVALID" } }]);
    await socket.client.dispose();
  });
});

describe("sockets", () => {
  const app = useApp({ HOPWISE_SOCKETS_PER_KEY: "2", HOPWISE_SOCKETS_PER_ADDRESS: "5", HOPWISE_STREAMS_PER_KEY: "2" });

  it("of one key are counted, and others have room again when one closes", async () => {
    const authorization = await keyFor(app(), "viewer");
    const first = await openSocket(app(), { authorization });
    const second = await openSocket(app(), { authorization });
    await expect(openSocket(app(), { authorization })).rejects.toThrow(/1013 REQUEST_RATE_LIMITED: .*PER_KEY/);
    const another = await openSocket(app(), { authorization: await keyFor(app(), "viewer") });
    await first.client.dispose();
    await expect
      .poll(() => openSocket(app(), { authorization }).then(({ client }) => client.dispose()))
      .toBeUndefined();
    await second.client.dispose();
    await another.client.dispose();
  });

  it("of one address are counted before anybody says who asks", async () => {
    const idle = Array.from({ length: 20 }, () => rawSocket(app()));
    const ends = await Promise.all(idle.map(({ closed }) => closed));
    const numRefused = ends.filter(({ code }) => code === 1013).length;
    expect(numRefused).toBeGreaterThanOrEqual(15);
    expect(ends.filter(({ code }) => code === 4408)).toHaveLength(20 - numRefused);
  });

  it("and event streams follow so many jobs at once with one key", async () => {
    const jobId = await queuedJob(app());
    const authorization = await keyFor(app(), "viewer");
    const socket = await openSocket(app(), { authorization });
    const follow = () => socket.client.iterate({ query: follows, variables: { jobId } });
    const first = follow();
    const second = follow();
    await first.next();
    await second.next();
    const limited = { errors: [{ extensions: { code: "REQUEST_RATE_LIMITED", status: 429 } }] };
    expect((await follow().next()).value).toMatchObject(limited);
    const stream = () => fetch(`http://${addressOf(app())}/v1/jobs/${jobId}/events`, { headers: { authorization } });
    expect((await stream()).status).toBe(429);
    await second.return?.();
    await expect.poll(async () => (await stream()).status).toBe(200);
    await socket.client.dispose();
  });
});

describe("what is asked on a socket", () => {
  const app = useApp({ HOPWISE_REQUESTS_PER_MINUTE: "40" });

  it("is counted with the requests of the same key, on however many sockets", async () => {
    const authorization = await keyFor(app(), "viewer");
    const sockets = [await openSocket(app(), { authorization }), await openSocket(app(), { authorization })];
    const answers: string[] = [];
    for (let i = 0; i < 30; i++) {
      for (const socket of sockets) {
        const limited = await socket.run("{ me { role } }").then(
          () => "answered",
          (errors: unknown) => (errors as { extensions?: { code?: string } }[])[0]?.extensions?.code ?? "?",
        );
        answers.push(limited);
      }
    }
    const numAnswered = answers.filter((one) => one === "answered").length;
    expect(numAnswered).toBeGreaterThan(20);
    expect(numAnswered).toBeLessThanOrEqual(40);
    expect(answers.at(-1)).toBe("REQUEST_RATE_LIMITED");
    // One count for both ways to ask.
    expect((await app().anonymous.get("/v1/datasets").set({ authorization })).status).toBe(429);
    for (const { client } of sockets) await client.dispose();
  });

  it("ends with the socket when messages do not stop", async () => {
    const { socket, opened, closed } = rawSocket(app(), { authorization: `Bearer ${app().adminKey}` });
    await opened;
    socket.send(`{"type":"connection_init"}`);
    for (let i = 0; i < 100; i++) socket.send(`{"type":"ping"}`);
    expect(await closed).toMatchObject({ code: 4400, reason: expect.stringContaining("REQUEST_RATE_LIMITED") });
  });
});
