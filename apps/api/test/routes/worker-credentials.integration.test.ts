import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { redisChannels, redisKeys, workerUserName } from "@hopwise/contracts";
import { Queue } from "bullmq";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { PrivateRedis } from "../scheduler/support/private-redis.ts";
import { useApp } from "../support/each-database.ts";
import { keyFor } from "../support/fixtures.ts";
import { startApp, type TestApp } from "../support/start-app.ts";

const waitOptions = { timeout: 15_000, interval: 20 };

describe("the credential of a worker", () => {
  let redis: PrivateRedis;
  let root: Redis;
  let app: TestApp;
  const clients: Redis[] = [];

  beforeAll(async () => {
    redis = await PrivateRedis.start();
    root = redis.client();
    app = await startApp({ REDIS_URL: redis.url });
  });
  afterAll(async () => {
    for (const client of [...clients, root]) client?.disconnect();
    await app?.close();
    await redis?.stop();
  });

  async function create(workerId: string): Promise<string> {
    const { status, body } = await app.admin.post("/v1/worker-credentials").send({ workerId });
    expect(status, JSON.stringify(body)).toBe(201);
    return body.password;
  }

  /** A connection as that worker's; commands fail at once. */
  function connect(workerId: string, password: string): Redis {
    const client = new Redis({
      path: redis.socket,
      username: workerUserName(workerId),
      password,
      maxRetriesPerRequest: 0,
      disableClientInfo: true,
      retryStrategy: () => null,
    });
    client.on("error", () => undefined); // the refused command says it
    clients.push(client);
    return client;
  }

  const whoami = (workerId: string, password: string) => connect(workerId, password).acl("WHOAMI");

  it("is told once: the database and Redis have its hash alone", async () => {
    const { body } = await app.admin.post("/v1/worker-credentials").send({ workerId: "once" });
    expect(body).toEqual({
      workerId: "once",
      user: "hopwise-worker-once",
      createdAt: expect.any(String),
      password: expect.stringMatching(/^hww_[\w-]{43}$/),
      warning: expect.stringMatching(/by a socket, which no other host does/),
    });
    const passwordHash = createHash("sha256").update(body.password).digest("hex");
    const kept = await app.services.prisma.workerCredential.findMany({ where: { workerId: "once" } });
    expect(kept).toMatchObject([{ workerId: "once", passwordHash }]);
    const listed = await app.admin.get("/v1/worker-credentials");
    expect(JSON.stringify(listed.body)).not.toContain(passwordHash);
    expect(listed.body.items).toMatchObject([{ workerId: "once", user: "hopwise-worker-once" }]);
    expect(await whoami("once", body.password)).toBe("hopwise-worker-once");
  });

  it("is of no use on another host: REST and GraphQL say why, to admins of all projects alone", async () => {
    const { body } = await app.admin.get("/v1/worker-access");
    const reason = expect.stringMatching(/by a socket, which no other host does.*REDIS_URL/);
    expect(body).toEqual({ possible: false, reason, warning: null });
    const query = "{ workerAccess { possible reason warning } }";
    const asked = await app.admin.post("/graphql").send({ query });
    expect(asked.body.data).toEqual({ workerAccess: body });
    const url = "/v1/worker-access";
    const headers = { authorization: await keyFor(app, "admin", "default") };
    expect((await app.server.inject({ url, headers })).json()).toMatchObject({ code: "AUTH_FORBIDDEN" });
  });

  it("opens what is the worker's own, and no key, channel or command beside it", async () => {
    const own = connect("w", await create("w"));
    await create("w.2");
    await own.set(redisKeys.worker("w"), "{}", "PX", 1000);
    await own.set(redisKeys.lease("w", "job1", 1), "w/boot", "PX", 1000);
    await own.hset("bull:host-w:job1-1-0", "data", "{}");
    expect(await own.hget(redisKeys.acked, "job1-1-0")).toBeNull();
    const key = { jobId: "job1", attempt: 1, stageIndex: 0, slice: 0 };
    await own.xadd(redisKeys.events("w", key), "NOMKSTREAM", "1-0", "event", "{}");
    await own.xadd(redisKeys.events("w", key), "1-0", "event", "{}");
    await own.xinfo("STREAM", redisKeys.events("w", key));
    await own.del(redisKeys.events("w", key));

    const others = [
      ["HGETALL", "bull:host-w.2:job1-1-0"],
      ["HGETALL", "bull:host-w2:job1-1-0"],
      ["LRANGE", "bull:host-w.2:wait", 0, -1],
      ["LPUSH", "bull:host-w.2:wait", "job1-1-0"],
      ["GET", redisKeys.doctorGrant("w.2", "0".repeat(32))],
      ["SET", redisKeys.doctorGrant("w", "0".repeat(32)), "forged"],
      ["SET", redisKeys.worker("w.2"), "{}"],
      ["GET", redisKeys.lease("w.2", "job1", 1)],
      ["DEL", redisKeys.lease("w.2", "job1", 1)],
      ["HSET", redisKeys.desired, "job1", "{}"],
      ["HSET", redisKeys.acked, "job1-1-0", 9],
      ["SET", redisKeys.generation, "x"],
      ["XADD", "hw:other", "*", "a", "b"],
      ["XADD", redisKeys.events("w.2", key), "1-0", "event", "{}"],
      ["XINFO", "STREAM", redisKeys.events("w.2", key)],
      ["DEL", redisKeys.events("w.2", key)],
      ["XADD", redisKeys.eventsBell, "*", "a", "b"],
      ["EVAL", "return redis.call('HGETALL', KEYS[1])", 1, "bull:host-w.2:job1-1-0"],
      ["EVAL", "return redis.call('KEYS', '*')", 0],
      ["SUBSCRIBE", redisChannels.persisted],
      ["PUBLISH", redisChannels.persisted, "job1"],
    ];
    const commands = [
      ["KEYS", "*"],
      ["SCAN", 0],
      ["RANDOMKEY"],
      ["XRANGE", redisKeys.events("w", key), "-", "+"],
      ["XREAD", "STREAMS", redisKeys.events("w", key), "0"],
      ["XINFO", "GROUPS", redisKeys.events("w", key)],
      ["DUMP", redisKeys.rendezvous("x")],
      ["PSUBSCRIBE", "hw:wake:rendezvous:*"],
      ["PUBSUB", "CHANNELS", "*"],
      ["CLIENT", "TRACKING", "ON", "BCAST"],
      ["CLIENT", "LIST"],
      ["CLIENT", "KILL", "TYPE", "normal"],
      ["MONITOR"],
      ["CONFIG", "GET", "*"],
      ["FLUSHALL"],
      ["FLUSHDB"],
      ["ACL", "LIST"],
      ["ACL", "SETUSER", "hopwise-worker-w", "~*"],
      ["SCRIPT", "FLUSH"],
      ["FUNCTION", "LIST"],
      ["SWAPDB", 0, 1],
      ["SHUTDOWN"],
    ];
    for (const [command, ...args] of [...others, ...commands]) {
      const call = own.call(String(command), ...args.map(String));
      const said = String(await call.catch((error: Error) => error.message));
      expect(`${command} ${args.join(" ")}: ${said}`).toMatch(/NOPERM|ACL failure in script|can't run this command/);
    }
    const queueOfAnother = new Queue("host-w.2", { connection: own });
    queueOfAnother.on("error", () => undefined);
    await expect(queueOfAnother.add("stage", {})).rejects.toThrow(/NOPERM|ACL failure/);
    await queueOfAnother.close();
  });

  it("is there again after Redis was restarted, which keeps no users, as soon as the API has seen it", async () => {
    const password = await create("lasting");
    await redis.kill();
    await redis.spawn();
    await vi.waitFor(async () => {
      expect(await whoami("lasting", password)).toBe("hopwise-worker-lasting");
    }, waitOptions);
    await root.flushall();
    expect(await whoami("lasting", password)).toBe("hopwise-worker-lasting");
  });

  it("is put right whenever the API comes to Redis anew, which puts out who has none, and touches nobody else", async () => {
    const password = await create("kept");
    await root.acl("SETUSER", "hopwise-worker-stray", "on", ">pass", "+ping");
    await root.acl("SETUSER", "hopwise-worker-kept", "reset");
    await root.acl("SETUSER", "somebody", "on", ">pass", "+ping");
    await root.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
    await vi.waitFor(async () => {
      const users = await root.acl("USERS");
      expect(users).toContain("somebody");
      expect(users).not.toContain("hopwise-worker-stray");
      expect(await whoami("kept", password)).toBe("hopwise-worker-kept");
    }, waitOptions);
  });

  it("with a new password lets the bearer of the old one in no more, and puts him out at once", async () => {
    const old = await create("renewed");
    const client = connect("renewed", old);
    await client.ping();
    const ended = once(client, "end");
    const password = await create("renewed");
    await ended;
    await expect(whoami("renewed", old)).rejects.toThrow("WRONGPASS");
    expect(await whoami("renewed", password)).toBe("hopwise-worker-renewed");
  });

  it("that is revoked puts the worker out at once, by GraphQL as by REST", async () => {
    const query = async (text: string) => (await app.admin.post("/graphql").send({ query: text })).body;
    const { data } = await query(
      'mutation { createWorkerCredential(workerId: "brief") { password credential { user } } }',
    );
    expect(data.createWorkerCredential.credential).toEqual({ user: "hopwise-worker-brief" });
    const { password } = data.createWorkerCredential;
    const client = connect("brief", password);
    await client.ping();
    const ended = once(client, "end");
    expect(await query('mutation { revokeWorkerCredential(workerId: "brief") }')).toEqual({
      data: { revokeWorkerCredential: true },
    });
    await ended;
    await expect(whoami("brief", password)).rejects.toThrow("WRONGPASS");
    const listed = await query("{ workerCredentials { workerId } }");
    expect(listed.data.workerCredentials).not.toContainEqual({ workerId: "brief" });
    const again = await app.admin.delete("/v1/worker-credentials/brief");
    expect(again.body).toMatchObject({ status: 404, code: "REQUEST_NOT_FOUND" });
  });

  it.each(["", "a:b", "*", "a*", "[ab]", "a?", "a\\b", "ä", "a b", "x".repeat(65)])(
    "for %j is refused with REQUEST_INVALID: it would mean something in a pattern",
    async (workerId) => {
      const { body } = await app.admin.post("/v1/worker-credentials").send({ workerId });
      expect(body).toMatchObject({ status: 400, code: "REQUEST_INVALID", pointer: "/workerId" });
    },
  );

  it.each([{}, { workerId: 7 }, { workerId: "w", password: "mine" }])("refuses %j", async (request) => {
    const { body } = await app.admin.post("/v1/worker-credentials").send(request);
    expect(body).toMatchObject({ status: 400, code: "REQUEST_INVALID" });
  });

  it("is an admin's to make, see and revoke, of one who is bound to no project", async () => {
    const project = (await app.admin.post("/v1/projects").send({ name: "bound" })).body.id;
    const keys = [await keyFor(app, "editor"), await keyFor(app, "viewer"), await keyFor(app, "admin", project)];
    for (const authorization of keys) {
      const answers = [
        await app.anonymous.get("/v1/worker-credentials").set({ authorization }),
        await app.anonymous.post("/v1/worker-credentials").set({ authorization }).send({ workerId: "mine" }),
        await app.anonymous.delete("/v1/worker-credentials/w").set({ authorization }),
      ];
      expect(answers.map(({ body }) => body.code)).toEqual(Array(3).fill("AUTH_FORBIDDEN"));
      const query = 'mutation { createWorkerCredential(workerId: "mine") { password } }';
      const { body } = await app.anonymous.post("/graphql").set({ authorization }).send({ query });
      expect(body.errors[0].extensions.code).toBe("AUTH_FORBIDDEN");
    }
    expect(await app.services.prisma.workerCredential.count({ where: { workerId: "mine" } })).toBe(0);
  });
});

describe("a Redis that listens on the network", () => {
  let redis: PrivateRedis;
  let root: Redis;
  let app: TestApp;
  let url: string;

  beforeAll(async () => {
    redis = await PrivateRedis.start();
    root = redis.client();
    url = await redis.listen();
    app = await startApp({ REDIS_URL: url });
  });
  afterAll(async () => {
    root?.disconnect();
    await app?.close();
    await redis?.stop();
  });

  it("without a password is told of when a credential is made; with one nothing is", async () => {
    const warning = async () =>
      (await app.admin.post("/v1/worker-credentials").send({ workerId: "w" })).body.warning as unknown;
    const access = async () => (await app.admin.get("/v1/worker-access")).body as unknown;
    const open = /without a password.*requirepass/;
    expect(await warning()).toMatch(open);
    expect(await access()).toEqual({ possible: true, reason: null, warning: expect.stringMatching(open) });
    await root.config("SET", "requirepass", "secret"); // connections that are there stay
    expect(await warning()).toBeNull();
    const here = expect.stringMatching(/at 127\.0\.0\.1.*listens on your network too/);
    expect(await access()).toEqual({ possible: true, reason: null, warning: here });
  });

  it("with the password that docker-compose.yml falls back to is told of, for everybody knows it", async () => {
    const compose = await readFile(new URL("../../../../docker-compose.yml", import.meta.url), "utf8");
    const known = /REDIS_PASSWORD:-([^}]+)\}/.exec(compose)?.[1] ?? "";
    await root.config("SET", "requirepass", known);
    const exposed = await startApp({ REDIS_URL: url.replace("//", `//:${known}@`) });
    try {
      const { body } = await exposed.admin.post("/v1/worker-credentials").send({ workerId: "w" });
      expect(body.warning).toMatch(/everybody knows.*Set REDIS_PASSWORD/);
    } finally {
      await exposed.close();
    }
  });
});

describe("without what it needs of Redis, the API makes no credential and keeps none", () => {
  const withoutRedis = useApp();

  it("and says that no worker can join", async () => {
    const { body } = await withoutRedis().admin.get("/v1/worker-access");
    expect(body).toMatchObject({ possible: false, reason: expect.stringContaining("without Redis") });
  });

  it("when there is none", async () => {
    const { body } = await withoutRedis().admin.post("/v1/worker-credentials").send({ workerId: "w" });
    expect(body).toMatchObject({ status: 503, code: "UPSTREAM_UNAVAILABLE" });
  });

  it("when it may not use ACL there, or Redis is away: what was there stays", async () => {
    const redis = await PrivateRedis.start();
    const app = await startApp({ REDIS_URL: redis.url });
    const root = redis.client();
    const post = async () => (await app.admin.post("/v1/worker-credentials").send({ workerId: "w" })).body;
    const kept = () => app.services.prisma.workerCredential.findMany();
    try {
      await root.acl("SETUSER", "root", "on", ">root", "~*", "&*", "+@all");
      await root.auth("root", "root");
      await root.acl("SETUSER", "default", "-acl");
      const refused = await post();
      expect(refused).toMatchObject({ status: 500, code: "REDIS_REFUSED" });
      expect(refused.detail).toMatch(/ACL SETUSER.*NOPERM.*Redis 7/);
      expect(await kept()).toEqual([]);

      await root.acl("SETUSER", "default", "+acl");
      expect(await post()).toMatchObject({ workerId: "w" });
      const before = await kept();
      await root.acl("SETUSER", "default", "-acl");
      expect((await post()).code).toBe("REDIS_REFUSED");
      expect((await app.admin.delete("/v1/worker-credentials/w")).body.code).toBe("REDIS_REFUSED");
      expect(await kept()).toEqual(before);

      await redis.kill();
      expect(await post()).toMatchObject({ status: 503, code: "UPSTREAM_UNAVAILABLE" });
      expect(await kept()).toEqual(before);
    } finally {
      root.disconnect();
      await app.close();
      await redis.stop();
    }
  });
});
