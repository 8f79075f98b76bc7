import { expect, test } from "vitest";
import type { Rival } from "../src/announcement-key.ts";
import { IdTaken, takeId } from "../src/take-id.ts";

const rival = { bootId: "b1", host: "h1", pid: 7, leftMs: 4000 };
const failures: unknown[] = [];

/** Takes the id where Redis answers like this, one answer after the other. */
function take(...answers: (Rival | null | Error)[]): Promise<void> {
  const say = async () => {
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    if (answer === undefined) throw new RangeError("asked too often");
    return answer;
  };
  return takeId("w1", say, (error) => failures.push(error));
}

test("an id that nobody has is taken at once", async () => {
  await expect(take(null)).resolves.toBeUndefined();
});

test("an announcement that runs out belongs to nobody any more", async () => {
  await expect(take(rival, { ...rival, leftMs: 3800 }, null)).resolves.toBeUndefined();
});

test("an announcement that is renewed belongs to a worker that is alive", async () => {
  await expect(take(rival, { ...rival, leftMs: 3800 }, { ...rival, leftMs: 4900 })).rejects.toThrow(IdTaken);
});

test("of two that wait for a dead one's id the second gives way to the first", async () => {
  await expect(take(rival, { ...rival, bootId: "b2", leftMs: 3000 })).rejects.toThrow(/boot b2/);
});

test("Redis may be away meanwhile", async () => {
  await expect(take(new Error("connection refused"), rival, null)).resolves.toBeUndefined();
  expect(failures).toEqual([expect.objectContaining({ message: "connection refused" })]);
});
