import { limits, workerLogLine } from "@hopwise/contracts";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { LogTail } from "../../src/worker-log/log-tail.ts";
import { Redaction } from "../../src/worker-log/redaction.ts";

const password = "s3cret/päss";
const redaction = new Redaction([`redis://hopwise-worker-a:${encodeURIComponent(password)}@host:6379`]);

const pinoLine = (fields: object) => `${JSON.stringify({ level: 30, time: 1_764_000_000_000, pid: 1, ...fields })}\n`;
const linesOf = (tail: LogTail) =>
  tail.segments.flatMap(({ lines }) => lines).map((line) => workerLogLine.parse(JSON.parse(line)));

test("a line has its time, level, message and fields, in the order in which it was written", () => {
  const tail = new LogTail(redaction);
  tail.write(pinoLine({ msg: "first", jobId: "job_1", ranks: 2 }) + pinoLine({ level: 50, msg: "second" }));
  expect(linesOf(tail)).toMatchObject([
    { at: "2025-11-24T16:00:00.000Z", level: "info", message: "first", fields: { jobId: "job_1", ranks: 2 } },
    { level: "error", message: "second", fields: {} },
  ]);
  const [first, second] = linesOf(tail);
  expect(second?.cursor).toBeGreaterThan(first?.cursor ?? 0);
});

test("secrets are taken out of messages and of fields at any depth", () => {
  const tail = new LogTail(redaction);
  const command = { args: ["hopwise-worker-a", password] };
  const url = `redis://user:${encodeURIComponent(password)}@host:1`;
  tail.write(pinoLine({ msg: `at ${url} with hww_${"a".repeat(43)}`, err: { command, message: password } }));
  tail.write(pinoLine({ msg: "grant", token: `hwg1.${"b".repeat(80)}.${"c".repeat(43)}` }));
  const text = JSON.stringify(linesOf(tail));
  for (const secret of [password, encodeURIComponent(password), "aaaa", "bbbb", "cccc"])
    expect(text).not.toContain(secret);
  expect(text).toContain("[redacted]@host:1");
});

test("whatever is logged stays within the halves and is a line that its reader takes", () => {
  const value = fc.anything({ maxDepth: 4 });
  fc.assert(
    fc.property(
      fc.array(fc.record({ msg: fc.string({ maxLength: 40_000 }), field: value }), { maxLength: 60 }),
      (all) => {
        const tail = new LogTail(redaction);
        for (const { msg, field } of all) tail.write(safeLine({ msg, field }));
        for (const { lines, bytes } of tail.segments) {
          expect(bytes).toBe(Buffer.byteLength(lines.join("")));
          expect(bytes).toBeLessThanOrEqual(limits.workerLogBytes);
          for (const line of lines) expect(line.length).toBeLessThanOrEqual(limits.workerLogLine);
        }
        linesOf(tail);
      },
    ),
    { numRuns: 30 },
  );
});

test("cursors grow from life to life, though the clock stands still or is set back", () => {
  const now = vi.spyOn(Date, "now");
  let earlier: LogTail | null = null;
  for (const clock of [1_764_000_000_000, 1_764_000_000_000, 1_763_000_000_000, 1_763_000_000_000]) {
    now.mockReturnValue(clock);
    const tail = new LogTail(redaction);
    for (const msg of ["before", "what follows"]) tail.write(pinoLine({ msg }));
    if (earlier) tail.follow(earlier.segments);
    tail.write(pinoLine({ msg: "the earlier" }));
    const cursors = linesOf(tail).map(({ cursor }) => cursor);
    expect(cursors).toEqual([...new Set(cursors)].toSorted((a, b) => a - b));
    for (const { lines, bytes } of tail.segments) expect(bytes).toBe(Buffer.byteLength(lines.join("")));
    earlier = tail;
  }
  now.mockRestore();
});

/** What JSON has no word for is no line of pino's. */
function safeLine(fields: object): string {
  try {
    return pinoLine(fields);
  } catch {
    return "no JSON\n";
  }
}

test("a full half gives way to the other, and the newest lines are there", () => {
  const tail = new LogTail(redaction);
  for (let i = 0; i < 3000; i++) tail.write(pinoLine({ msg: `line ${i}`, padding: "x".repeat(200) }));
  const lines = linesOf(tail);
  const last = lines.length - 1;
  expect(tail.segments).toHaveLength(2);
  expect(lines.map(({ message }) => message)).toEqual(lines.map((_, i) => `line ${2999 - last + i}`));
  expect(last).toBeGreaterThan(500);
});
