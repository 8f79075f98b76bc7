import { type Client, createClient, subscriptionExchange } from "urql";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { askEarly } from "../../src/services/early-job.ts";
import { JobFollower } from "../../src/services/job-follower.ts";
import type { JobEvent, JobSnapshot } from "../../src/services/job-state.ts";
import { emptyJob } from "../support/job-fixture.ts";

/** What the client has sent and waits for, answered by hand. */
interface Asked {
  readonly isQuery: boolean;
  readonly variables: Readonly<Record<string, unknown>>;
  answer(data: object): void;
  end(): void;
}

let asked: Asked[];
let client: Client;
let told: string[];
let follower: JobFollower;

beforeEach(() => {
  asked = [];
  told = [];
  client = createClient({
    url: "http://localhost/graphql",
    preferGetMethod: false,
    exchanges: [
      subscriptionExchange({
        enableAllOperations: true,
        forwardSubscription: ({ variables = {} }, { kind }) => ({
          subscribe: (observer) => {
            const isQuery = kind === "query";
            const answer = (data: object) => {
              observer.next({ data });
              if (isQuery) observer.complete();
            };
            const end = () => {
              observer.next({ data: null, hasNext: false });
              observer.complete();
            };
            asked.push({ isQuery, variables, answer, end });
            return { unsubscribe: () => {} };
          },
        }),
      }),
    ],
  });
  follower = new JobFollower(client, "job_1", {
    onSnapshot: (snapshot) => told.push(`snapshot ${snapshot?.state} ${snapshot?.cursor}`),
    onEvents: (events) => told.push(`events ${events.map(({ cursor }) => cursor).join(" ")}`),
    onProblem: (problem) => problem && told.push(`problem ${problem.code}`),
    onLive: (state) => told.push(state),
  });
  follower.start();
});
afterEach(() => follower.stop());

test("what was asked for while the code of the page was on its way is not asked for again", async () => {
  const ofJob = () => asked.filter(({ variables }) => variables["id"] === "job_2");
  for (const path of ["/jobs", "/jobs/new", "/datasets/job_2", "/jobs/job_2/embeddings"]) askEarly(client, path);
  expect(ofJob()).toHaveLength(0);
  askEarly(client, "/jobs/job_2");
  await vi.waitFor(() => expect(ofJob()).toHaveLength(1));
  ofJob()[0]!.answer(job("SUCCEEDED", 4));
  const seen: (string | undefined)[] = [];
  const own = new JobFollower(client, "job_2", {
    onSnapshot: (snapshot) => seen.push(snapshot?.cursor),
    onEvents: () => {},
    onProblem: () => {},
    onLive: () => {},
  });
  own.start();
  await vi.waitFor(() => expect(seen).toEqual(["4"]));
  expect(ofJob()).toHaveLength(1);
  own.start();
  await vi.waitFor(() => expect(ofJob()).toHaveLength(2));
  own.stop();
});

const job = (state: JobSnapshot["state"], cursor: number) => ({ job: { ...emptyJob, state, cursor: String(cursor) } });
const stateEvent = (state: JobSnapshot["state"], cursor: number): { readonly jobEvents: JobEvent } => ({
  jobEvents: {
    __typename: "JobStateChanged",
    cursor: String(cursor),
    at: "2026-11-20T20:00:00.000Z",
    attempt: 1,
    state,
    problem: null,
  },
});

/** The n-th operation that was sent, once it is there. */
async function sent(n: number): Promise<Asked> {
  return vi.waitFor(() => {
    const found = asked[n - 1];
    if (!found) throw new Error(`${asked.length} operations were sent`);
    return found;
  }, 10_000);
}

test("events that end before the first one bring a new snapshot", async () => {
  (await sent(1)).answer(job("RUNNING", 7));
  const events = await sent(2);
  expect(events.isQuery).toBe(false);
  expect(events.variables).toMatchObject({ after: "7" });
  events.end();
  (await sent(3)).answer(job("SUCCEEDED", 7));
  await vi.waitFor(() => expect(told.at(-1)).toBe("ended"));
  expect(told).toEqual(["snapshot RUNNING 7", "live", "live", "snapshot SUCCEEDED 7", "ended"]);
});

test("an event that comes while a snapshot is on its way brings another one after it", async () => {
  (await sent(1)).answer(job("QUEUED", 1));
  const events = await sent(2);
  events.answer(stateEvent("RUNNING", 2));
  const early = await sent(3);
  events.answer(stateEvent("SUCCEEDED", 3));
  await vi.waitFor(() => expect(told).toContain("events 3"));
  early.answer(job("RUNNING", 2));
  const late = await sent(4);
  expect(late.isQuery).toBe(true);
  late.answer(job("SUCCEEDED", 3));
  await vi.waitFor(() => expect(told.at(-1)).toBe("ended"));
});

test("beginning anew while the first snapshot is on its way follows the events once", async () => {
  follower.start();
  const first = await sent(1);
  expect(first.isQuery).toBe(true);
  first.answer(job("RUNNING", 4));
  const second = await sent(2);
  if (second.isQuery) second.answer(job("RUNNING", 4));
  const events = await vi.waitFor(() => asked.find(({ isQuery }) => !isQuery) ?? Promise.reject(new Error("not yet")));
  events.answer(stateEvent("SUCCEEDED", 5));
  await vi.waitFor(() => expect(told).toContain("events 5"));
  asked.at(-1)?.answer(job("SUCCEEDED", 5));
  await vi.waitFor(() => expect(told.at(-1)).toBe("ended"));
  expect(asked.filter(({ isQuery }) => !isQuery).length).toBe(1);
});
