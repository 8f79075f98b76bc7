import fc from "fast-check";
import { expect, test } from "vitest";
import { EventStreamParser, type StreamMessage } from "../../src/events/event-stream-parser.ts";

function read(...texts: string[]): StreamMessage[] {
  const parser = new EventStreamParser();
  return texts.flatMap((text) => parser.push(new TextEncoder().encode(text)));
}

test("comments are no messages, and a message may come in pieces", () => {
  expect(read("retry: 1000\n\n: here\n\nid: 7\nevent: Sta", "ge\ndata: {", '"a":1}\n\nid: 8\ndata: x\n\n')).toEqual([
    { id: "7", event: "Stage", data: '{"a":1}' },
    { id: "8", event: "message", data: "x" },
  ]);
});

test("several data lines are one text, a colon in the value stays, and one blank before it goes", () => {
  expect(read("data: a: b\ndata:  c\ndata\n\n")).toEqual([{ id: "", event: "message", data: "a: b\n c\n" }]);
});

test("a message without its closing blank line is not complete", () => {
  expect(read("data: half\n")).toEqual([]);
});

test("an id holds for the messages after it, until another comes", () => {
  expect(read("id: 1\ndata: a\n\ndata: b\n\nid\ndata: c\n\n").map(({ id }) => id)).toEqual(["1", "1", ""]);
});

test("the stream says how long to wait before connecting again", () => {
  const parser = new EventStreamParser();
  parser.push(new TextEncoder().encode("retry: 2500\nretry: soon\n\n"));
  expect(parser.retryMs).toBe(2500);
});

test("wherever the stream is cut, and however its lines end, the messages are the same", () => {
  const lines = ["\uFEFF: hello", "id: 1", "event: Größe", "data: 📄 one", "data: two", "", "data: three", "", ""];
  const cuts = fc.array(fc.nat(200), { maxLength: 12 });
  fc.assert(
    fc.property(fc.constantFrom("\n", "\r\n", "\r"), cuts, (end, at) => {
      const bytes = new TextEncoder().encode(lines.join(end) + end);
      const places = [...new Set([0, ...at.filter((place) => place < bytes.length), bytes.length])].toSorted(
        (a, b) => a - b,
      );
      const parser = new EventStreamParser();
      const messages = places.slice(1).flatMap((place, i) => parser.push(bytes.slice(places[i], place)));
      expect(messages.slice(0, 2)).toEqual([
        { id: "1", event: "Größe", data: "📄 one\ntwo" },
        { id: "1", event: "message", data: "three" },
      ]);
    }),
  );
});
