import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redisKeys } from "../../src/redis/keys.ts";
import { workerOfUser, workerUserName, workerUserRules } from "../../src/redis/worker-user.ts";

const ids = fc.stringMatching(/^[A-Za-z0-9._-]{1,64}$/);

/** The rules' key patterns have no other special character than a `*` at the end. */
function mayTouch(workerId: string, key: string): boolean {
  return workerUserRules(workerId)
    .flatMap((rule) => /^(?:%[RW]+)?~(.*)$/.exec(rule)?.[1] ?? [])
    .some((pattern) => (pattern.endsWith("*") ? key.startsWith(pattern.slice(0, -1)) : key === pattern));
}

describe("the user of a worker", () => {
  it("is named after it, and known again by its name", () => {
    fc.assert(fc.property(ids, (id) => workerOfUser(workerUserName(id)) === id));
    for (const stranger of ["default", "hopwise-worker-", "hopwise-worker-a:b", "hopwise-api"]) {
      expect(workerOfUser(stranger)).toBeNull();
    }
  });

  it("has its own queue, lease, events and grants, and never those of a worker of another name", () => {
    const keysOf = (id: string) => [
      `bull:${redisKeys.workerQueue(id)}:wait`,
      redisKeys.lease(id, "job1", 1),
      redisKeys.events(id, { jobId: "job1", attempt: 1, stageIndex: 0, slice: 0 }),
      redisKeys.workerLog(id, 1),
      redisKeys.doctorGrant(id, "0".repeat(32)),
    ];
    fc.assert(
      fc.property(ids, ids, fc.boolean(), (id, suffix, isLonger) => {
        for (const key of keysOf(id)) expect(mayTouch(id, key)).toBe(true);
        const other = isLonger ? id + suffix : suffix;
        if (other !== id) for (const key of keysOf(other)) expect(mayTouch(id, key)).toBe(false);
      }),
    );
  });

  it.each(["*", "a*", "?", "[a]", "a:b", "\\a", ""])("of a worker called %j does not exist", (id) => {
    expect(() => workerUserRules(id)).toThrow();
  });
});
