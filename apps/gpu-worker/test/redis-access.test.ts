import { beforeEach, expect, test } from "vitest";
import { RedisAccess } from "../src/redis-access.ts";

let now: number;
let told: string[];
let refused: string[];
let access: RedisAccess;

beforeEach(() => {
  now = 0;
  told = [];
  refused = [];
  const log = { error: (text: string) => told.push(text), info: (text: string) => told.push(text) };
  const onRefused = (why: string) => refused.push(why);
  access = new RedisAccess({ user: "hopwise-worker-w", log: log as never, onRefused, clock: () => now });
});

const wrongPassword = new Error("WRONGPASS invalid username-password pair or user is disabled.");

/** Refused each second, up to and with this one */
function refusedUntil(second: number): void {
  for (; now <= second * 1000; now += 1000) access.note(wrongPassword);
}

test("that Redis is away is no refusal: it is waited for", () => {
  for (; now < 3_600_000; now += 1000) access.note(new Error("connect ECONNREFUSED 10.0.0.1:6379"));
  expect([...told, ...refused]).toEqual([]);
});

test("at its start a refused worker says by what user, and what to do, and gives up after ten seconds, once", () => {
  refusedUntil(9);
  expect(told).toEqual([
    expect.stringMatching(/refuses the user "hopwise-worker-w".*WRONGPASS.*revoked.*Make a new one/),
  ]);
  expect(refused).toEqual([]);
  refusedUntil(30);
  expect(refused).toEqual([told[0]]);
});

test("later it waits a minute, as a restarted Redis knows its users by the API alone, and repeats itself meanwhile", () => {
  access.granted();
  refusedUntil(59);
  expect(told).toHaveLength(3);
  expect(refused).toEqual([]);
  access.granted();
  expect(told).toHaveLength(4);
  refusedUntil(119);
  expect(refused).toEqual([]);
  refusedUntil(120);
  expect(refused).toHaveLength(1);
});

test.each([
  ["NOAUTH Authentication required.", /REDIS_URL has none/],
  ["NOPERM this user has no permissions to run the 'keys' command", /run the same release of both/],
])("%s says what to do", (said, advice) => {
  access.note(new Error(said));
  expect(told).toEqual([expect.stringMatching(advice)]);
});
