import { createClient } from "graphql-ws";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { defaultProjectId } from "../../src/auth/first-start.ts";
import { type ChangeTopic, changeTopics } from "../../src/events/change-marks.ts";
import { ChangeWatch } from "../../src/events/change-watch.ts";
import { useApp } from "../support/each-database.ts";
import { keyFor, readyDataset } from "../support/fixtures.ts";

const app = useApp();
const watches: ChangeWatch[] = [];
let dataset: string;

beforeAll(async () => {
  dataset = await readyDataset(app());
});
afterEach(() => {
  for (const watch of watches.splice(0)) watch.close();
});

/** A watch that looks as often as it may. */
function watch(): ChangeWatch {
  const { prisma, log } = app().services;
  const made = new ChangeWatch({ prisma, log, everyMs: 5 });
  watches.push(made);
  return made;
}

const everybody = async () => ({ userId: (await app().services.prisma.user.findFirstOrThrow()).id, projectId: null });
const ofProject = async (projectId: string) => ({ ...(await everybody()), projectId });

type Changes = AsyncGenerator<readonly ChangeTopic[], void, void>;

/** Every topic that comes, until `wanted` has. */
async function until(changes: Changes, wanted: ChangeTopic): Promise<Set<ChangeTopic>> {
  const seen = new Set<ChangeTopic>();
  for (;;) {
    const { value, done } = await changes.next();
    if (done) throw new Error(`it ended before ${wanted}`);
    for (const topic of value) seen.add(topic);
    if (seen.has(wanted)) return seen;
  }
}

async function submit(): Promise<string> {
  const spec = { version: 1, kind: "train", name: "watched", dataset, task: { target: "label" } };
  return (await app().admin.post("/v1/jobs").send(spec).expect(202)).body.id;
}

describe("changes of lists", () => {
  it("begin with all of them, then name what was written, whoever wrote it", async () => {
    const changes = watch().follow(await everybody());
    expect((await changes.next()).value).toEqual(changeTopics);
    const id = await submit();
    expect(await until(changes, "JOBS")).not.toContain("DATASETS");
    // As another process would: past this one's services.
    await app().services.prisma.job.update({ where: { id }, data: { waitReason: "no worker" } });
    expect([...(await until(changes, "JOBS"))].toSorted()).toEqual(["JOBS", "QUEUE"]);
    await app().admin.put(`/v1/jobs/${id}/marks`).send({ starred: true }).expect(200);
    await until(changes, "JOBS");
    await app().services.prisma.user.updateMany({ data: { noticesReadTo: 3 } });
    expect([...(await until(changes, "NOTICES"))]).toEqual(["NOTICES"]);
    await changes.return();
  });

  it("of another project do not exist for a key of one, except for its place in the queue", async () => {
    const other = (await app().admin.post("/v1/projects").send({ name: "elsewhere" }).expect(201)).body.id;
    const changes = watch().follow(await ofProject(other));
    await changes.next();
    const id = await submit();
    await app().services.prisma.webhook.create({
      data: {
        id: "whk_1",
        projectId: defaultProjectId,
        name: "x",
        url: "http://x",
        events: [],
        createdBy: (await everybody()).userId,
      },
    });
    await app().services.prisma.job.update({ where: { id }, data: { priority: 9 } });
    await app().services.prisma.worker.create({
      data: {
        id: "w",
        bootId: "b",
        host: "h",
        version: "1",
        build: "b",
        contract: 6,
        compatible: true,
        announcement: {},
        lastSeen: new Date(),
      },
    });
    expect([...(await until(changes, "WORKERS"))].toSorted()).toEqual(["QUEUE", "WORKERS"]);
    await app().services.prisma.worker.deleteMany();
    await changes.return();
  });

  it("that came while nobody took the next are told as one; a wait ends when the reader leaves", async () => {
    const one = watch();
    const changes = one.follow(await everybody());
    await changes.next();
    for (let i = 0; i < 3; i++) await submit();
    expect(await until(changes, "JOBS")).toContain("QUEUE");
    const waiting = changes.next();
    await changes.return();
    expect(await waiting).toEqual({ done: true, value: undefined });
    one.close();
    expect((await one.follow(await everybody()).next()).done).toBe(true);
  });

  it("come over the socket to whoever is let in, and to nobody else", async () => {
    const place = app().server.server.address();
    const url = `ws://127.0.0.1:${typeof place === "object" && place ? place.port : 0}/graphql`;
    const follow = async (authorization: string) => {
      const { WebSocket } = await import("ws");
      const connectionParams = { authorization };
      return createClient({ url, webSocketImpl: WebSocket, connectionParams, retryAttempts: 0 });
    };
    const client = await follow(await keyFor(app(), "viewer"));
    const changes = client.iterate<{ changes: ChangeTopic[] }>({ query: "subscription { changes }" });
    expect((await changes.next()).value).toEqual({ data: { changes: [...changeTopics] } });
    await submit();
    const seen = new Set<ChangeTopic>();
    while (!seen.has("JOBS")) for (const topic of (await changes.next()).value?.data?.changes ?? []) seen.add(topic);
    await client.dispose();
    const stranger = (await follow("Bearer hw_wrong")).iterate({ query: "subscription { changes }" });
    await expect(stranger.next()).rejects.toMatchObject({ code: 4401 });
  });
});
