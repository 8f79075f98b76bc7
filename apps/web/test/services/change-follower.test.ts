import { type Client, createClient, subscriptionExchange } from "urql";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ChangeFollower, changesOf } from "../../src/services/change-follower.ts";

/** Subscriptions that were begun, told of and ended by hand. */
interface Followed {
  tell(...changes: string[]): void;
  cut(): void;
}

let followed: Followed[];
let left: number;
let client: Client;

beforeEach(() => {
  vi.useFakeTimers();
  followed = [];
  left = 0;
  const exchange = subscriptionExchange({
    forwardSubscription: () => ({
      subscribe: (observer) => {
        followed.push({
          tell: (...changes) => observer.next({ data: { changes } }),
          cut: () => {
            observer.next({ data: null, hasNext: false });
            observer.complete();
          },
        });
        return { unsubscribe: () => left++ };
      },
    }),
  });
  client = createClient({ url: "http://localhost/graphql", preferGetMethod: false, exchanges: [exchange] });
});
afterEach(() => void vi.useRealTimers());

/** A subscription is sent a moment after it is asked for. */
const sent = () => vi.advanceTimersByTimeAsync(0);

function listen(follower: ChangeFollower, topic: "JOBS" | "NOTICES") {
  const told: (string | boolean)[] = [];
  const leave = follower.listen({
    topics: [topic],
    onChange: () => told.push(topic),
    onLive: (isLive) => told.push(isLive),
  });
  return { told, leave };
}

test("listeners of one page share a subscription, and each hears of its own topics", async () => {
  const follower = new ChangeFollower(client);
  const jobs = listen(follower, "JOBS");
  const notices = listen(follower, "NOTICES");
  await sent();
  expect(followed).toHaveLength(1);
  followed[0]?.tell("JOBS", "NOTICES");
  followed[0]?.tell("JOBS");
  expect(jobs.told).toEqual([false, true, "JOBS", "JOBS"]);
  expect(notices.told).toEqual([false, true, "NOTICES"]);
  jobs.leave();
  expect(left).toBe(0);
  notices.leave();
  expect(left).toBe(1);
});

test("after a cut it follows anew, says so, and what was missed meanwhile is told by the first word", async () => {
  const { told } = listen(new ChangeFollower(client), "JOBS");
  await sent();
  followed[0]?.tell("JOBS");
  followed[0]?.cut();
  expect(told).toEqual([false, true, "JOBS", false]);
  await vi.advanceTimersByTimeAsync(500);
  expect(followed).toHaveLength(2);
  followed[1]?.tell("JOBS", "NOTICES");
  expect(told).toEqual([false, true, "JOBS", false, true, "JOBS"]);
});

test("a service that is away is tried less and less often, for as long as somebody listens", async () => {
  const { leave } = listen(new ChangeFollower(client), "JOBS");
  await sent();
  for (const ms of [500, 1000, 2000, 5000, 15_000, 15_000]) {
    followed.at(-1)?.cut();
    const before = followed.length;
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(followed).toHaveLength(before);
    await vi.advanceTimersByTimeAsync(1);
    expect(followed).toHaveLength(before + 1);
  }
  followed.at(-1)?.cut();
  leave();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(followed).toHaveLength(7);
});

test("a page has one follower", () => {
  expect(changesOf(client)).toBe(changesOf(client));
});
