import { mkdirSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../../../../test/support/until.ts";
import { useApp } from "../support/each-database.ts";
import { readyDataset } from "../support/fixtures.ts";
import { rawSocket } from "../support/graphql-socket.ts";
import { storeRows } from "./support/stored-rows.ts";

const app = useApp();
const socket = () => join(app().dataDir, "serve", "serve.sock");
/** Questions that stand in the serving process, which never answers one here. */
let waiting = 0;
const ear = createServer((_request, response) => {
  waiting++;
  response.once("close", () => waiting--);
});
let job: string;

beforeAll(async () => {
  const dataset = await readyDataset(app());
  const spec = { version: 1, kind: "train", dataset, task: { target: "label" } };
  job = (await app().admin.post("/v1/jobs").send(spec).expect(202)).body.id;
  await storeRows(app(), job, 10, 0);
  mkdirSync(join(app().dataDir, "serve"), { recursive: true });
  await new Promise<void>((resolve) => ear.listen(socket(), resolve));
});
afterAll(() => {
  ear.closeAllConnections();
  ear.close();
  rmSync(socket(), { force: true });
});

const explanation = () => `{ explanation(job: "${job}", id: "100") { class } }`;
const prediction = () => `{ predictions(job: "${job}", nodes: [{ id: "new" }]) { predictions { id } } }`;

/** A socket on which these queries are being answered. */
async function asking(...queries: readonly string[]) {
  const opened = rawSocket(app(), { authorization: `Bearer ${app().adminKey}` });
  await opened.opened;
  const send = (message: object) => opened.socket.send(JSON.stringify(message));
  send({ type: "connection_init" });
  await until("the greeting", async () => opened.messages.some(({ type }) => type === "connection_ack"));
  for (const [i, query] of queries.entries()) send({ type: "subscribe", id: `${i}`, payload: { query } });
  await until("the serving process to be asked", async () => waiting === queries.length);
  return { ...opened, send };
}

describe("a question over a socket", () => {
  it.each([
    ["an explanation", explanation],
    ["a prediction of a new node", prediction],
  ])("ends in the serving process when the socket is closed: %s", async (_what, query) => {
    const { socket, closed } = await asking(query());
    socket.close();
    await closed;
    await until("its end", async () => waiting === 0);
  });

  it("ends when it alone is given up; others on the socket go on, and it may be asked again", async () => {
    const { socket, send, messages, closed } = await asking(explanation(), prediction());
    send({ type: "complete", id: "0" });
    await until("the end of one", async () => waiting === 1);
    send({ type: "subscribe", id: "other", payload: { query: "{ me { role } }" } });
    await until("an answer", async () => messages.some(({ id, type }) => id === "other" && type === "next"));
    expect(messages.filter(({ id }) => id === "0" || id === "1")).toEqual([]);
    send({ type: "subscribe", id: "again", payload: { query: explanation() } });
    await until("the serving process to be asked", async () => waiting === 2);
    socket.close();
    await closed;
    await until("the end of both", async () => waiting === 0);
  });

  it("ends by REST and GraphQL over HTTP when the connection does", async () => {
    const { port } = app().server.server.address() as { port: number };
    const headers = { authorization: `Bearer ${app().adminKey}`, "content-type": "application/json" };
    for (const [path, body] of [
      [`/v1/jobs/${job}/predict`, { nodes: [{ id: "new" }] }],
      ["/graphql", { query: prediction() }],
    ] as const) {
      const gone = new AbortController();
      const init = { method: "POST", headers, body: JSON.stringify(body), signal: gone.signal };
      const asked = fetch(`http://127.0.0.1:${port}${path}`, init).catch((error: Error) => error.name);
      await until("the serving process to be asked", async () => waiting === 1);
      gone.abort();
      expect(await asked).toBe("AbortError");
      await until("its end", async () => waiting === 0);
    }
  });
});
