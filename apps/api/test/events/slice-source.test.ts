import { expect, test } from "vitest";
import { SliceSource } from "../../src/events/slice-source.ts";
import { entryOf } from "../../src/events/stream-entry.ts";

const key = { jobId: "job1", attempt: 1, stageIndex: 0, slice: 0 };
const slice = { key, workerId: "w1", isCancelling: false };
const entries = (...seqs: number[]) => seqs.map((seq) => entryOf([`${seq}-0`, ["type", "step", "event", "{}"]]));
const waiting = (source: SliceSource) => source.waiting.map(({ seq }) => seq);

test("reading begins behind what is persisted, and goes on behind what was read", () => {
  const source = new SliceSource(slice, 7);
  expect([source.stream, source.lastId]).toEqual(["hw:events:w1:job1-1-0", "7-0"]);
  source.take(entries(8, 9), 100, 0);
  expect([source.lastId, waiting(source)]).toEqual(["9-0", [8, 9]]);
  source.advance(8);
  expect([source.lastId, waiting(source)]).toEqual(["9-0", [9]]);
  source.rewind();
  expect([source.lastId, waiting(source)]).toEqual(["8-0", []]);
});

test("what is persisted already is passed over unread", () => {
  const source = new SliceSource(slice, 7);
  source.take(entries(6, 7, 8), 100, 0);
  expect(waiting(source)).toEqual([8]);
});

test("an entry whose id is no event's number is passed over", () => {
  const source = new SliceSource(slice, 0);
  source.take(
    ["1-1", "x-0", `${2 ** 31}-0`, "0-3"].map((id) => entryOf([id, []])),
    100,
    0,
  );
  expect(waiting(source)).toEqual([]);
});

test("a slice is drained as of the reading that came to its end, once all of it is persisted", () => {
  const source = new SliceSource(slice, 0);
  source.take(entries(1, 2), 2, 100);
  source.advance(2);
  expect(source.drainedAt).toBe(0); // there may have been more
  source.take(entries(3), 2, 200);
  expect(source.drainedAt).toBe(0);
  source.advance(3);
  expect(source.drainedAt).toBe(200);
  source.take([], 2, 300);
  expect(source.drainedAt).toBe(300);
});

test("what is missing is asked for at once, and in vain after 1 s, 2 s, 4 s … 60 s; reading waits with it", () => {
  const source = new SliceSource(slice, 3);
  let now = 1000;
  expect(source.beginRepair(now)).toBe(true);
  expect(source.isReadable(now)).toBe(true);
  for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
    expect(source.beginRepair(now + seconds * 1000 - 1)).toBe(false);
    expect(source.isReadable(now + seconds * 1000 - 1)).toBe(false);
    now += seconds * 1000;
    expect(source.isReadable(now)).toBe(true);
    expect(source.beginRepair(now)).toBe(true);
  }
  source.advance(4);
  now += 60_000;
  expect(source.beginRepair(now)).toBe(true);
  expect(source.beginRepair(now + 1000)).toBe(true); // some came: the waits begin anew
});
