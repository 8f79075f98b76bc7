import { expect, test } from "vitest";
import { readServerSentEvents } from "../../demo/server-sent-events.ts";

async function* chunks(...texts: string[]) {
  for (const text of texts) yield new TextEncoder().encode(text);
}
async function collect(...texts: string[]) {
  const events = [];
  for await (const event of readServerSentEvents(chunks(...texts))) events.push(event);
  return events;
}

test("a message may come in pieces, and comments are none", async () => {
  const events = await collect(
    "retry: 1000\n\n: here\n\nid: 7\nevent: Sta",
    "ge\ndata: {",
    '"a":1}\n\nid: 8\ndata: x\n\n',
  );
  expect(events).toEqual([
    { id: "7", event: "Stage", data: '{"a":1}' },
    { id: "8", event: "message", data: "x" },
  ]);
});

test("several data lines are one text, and a colon in the value stays", async () => {
  expect(await collect("data: a: b\ndata: c\n\n")).toEqual([{ id: "", event: "message", data: "a: b\nc" }]);
});

test("a message without its closing blank line is not complete", async () => {
  expect(await collect("data: half\n")).toEqual([]);
});
