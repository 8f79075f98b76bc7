import { type Member, membersOf, problemOf } from "@hopwise/contracts";
import type { Manifest } from "@hopwise/gnn-core/spec";
import { expect, test } from "vitest";
import { GroupState } from "../../src/ranks/group-state.ts";

const place = { host: "h1", step: "train" };
const rank = (index: number): Member => ({ kind: "rank", index });
const membersFrom = (first: number, ranks: number, samplers = 0) =>
  membersOf({ ranks: { first, count: ranks }, samplers: { first: 0, count: samplers } });
const manifest: Manifest = {
  version: 1,
  kind: "model",
  step: "train",
  stepVersion: 1,
  engine: "0",
  inputs: {},
  options: {},
  info: {},
  blobs: [],
  byteOrder: "little",
  digest: "0".repeat(64),
};

function failureOf(state: GroupState) {
  if (state.outcome.type !== "failed") throw new Error("the group has not failed");
  return state.outcome.cause;
}

test("a group succeeds when every rank has given its result and ended", () => {
  const state = new GroupState(membersFrom(0, 2), place);
  state.finished(rank(1), null, false);
  state.finished(rank(0), manifest, false);
  expect(state.exited(rank(1), 0, null)).toBe("wait");
  expect(state.isSettled).toBe(false);
  expect(state.exited(rank(0), 0, null)).toBe("wait");
  expect(state.isSettled).toBe(true);
  expect(state.outcome).toEqual({ type: "succeeded", manifest });
});

test("ranks that stay free for another group need not end for the group to succeed", () => {
  const state = new GroupState(membersFrom(0, 2), place);
  state.finished(rank(0), manifest, true);
  expect(state.isSettled).toBe(false);
  state.finished(rank(1), null, true);
  expect(state.isSettled).toBe(true);
  expect(state.outcome).toEqual({ type: "succeeded", manifest });
});

test("a free rank of a group that failed is not let go before it has ended", () => {
  const state = new GroupState(membersFrom(0, 2), place);
  state.finished(rank(0), manifest, true);
  expect(state.exited(rank(1), null, "SIGKILL")).toBe("endNow");
  expect(state.isSettled).toBe(false);
  state.end();
  state.exited(rank(0), null, "SIGTERM");
  expect(state.isSettled).toBe(true);
  expect(failureOf(state).member).toEqual(rank(1));
});

test("a killed rank ends the group at once and is named with host, step and signal", () => {
  const state = new GroupState(membersFrom(0, 2), place);
  expect(state.exited(rank(1), null, "SIGKILL")).toBe("endNow");
  const { member, problem } = failureOf(state);
  expect(member).toEqual(rank(1));
  expect(problem).toMatchObject({ code: "RANK_LOST", retryable: true });
  expect(problem.detail).toMatch(/Rank 1 on h1 was killed by SIGKILL during train/);
});

test("of a rank that the kernel killed is said that memory ran out, and what the worker may use", () => {
  const state = new GroupState(membersFrom(0, 2), place);
  state.exited(rank(1), null, "SIGKILL", true);
  expect(failureOf(state).problem.detail).toMatch(
    /Rank 1 on h1 was killed by SIGKILL during train, as memory ran out: the worker may use [\d.]+ GiB; give it more, or/,
  );
  const other = new GroupState(membersFrom(0, 2), place);
  other.exited(rank(1), null, "SIGSEGV", true);
  expect(failureOf(other).problem.detail).not.toContain("memory");
});

test("an error ends the group at once and keeps its code", () => {
  const state = new GroupState(membersFrom(0, 2), place);
  expect(state.failed(rank(0), problemOf("TRAIN_NO_LABELS", "No label."))).toBe("endNow");
  state.end();
  expect(state.exited(rank(0), 1, null)).toBe("wait");
  expect(state.exited(rank(1), null, "SIGTERM")).toBe("wait");
  expect(failureOf(state)).toMatchObject({ member: rank(0), problem: { code: "TRAIN_NO_LABELS" } });
});

test("a collective that broke waits for its cause: the peer's death, even when it is seen later", () => {
  const state = new GroupState(membersFrom(0, 2), place);
  expect(state.failed(rank(0), problemOf("RANK_TIMEOUT", "all-reduce timed out"))).toBe("endSoon");
  expect(state.exited(rank(1), null, "SIGSEGV")).toBe("endNow");
  expect(failureOf(state)).toMatchObject({ member: rank(1), problem: { code: "RANK_LOST" } });
});

test("an error of one rank outweighs the broken collective of another", () => {
  const state = new GroupState(membersFrom(0, 2), place);
  state.failed(rank(1), problemOf("RANK_LOST", "connection closed by peer"));
  state.failed(rank(0), problemOf("TRAIN_DIVERGED", "loss is NaN"));
  expect(failureOf(state).problem.code).toBe("TRAIN_DIVERGED");
});

test("deaths by the launcher's own signals are nobody's failure", () => {
  const state = new GroupState(membersFrom(0, 3), place);
  state.exited(rank(2), null, "SIGKILL");
  state.end();
  expect(state.exited(rank(0), null, "SIGTERM")).toBe("wait");
  expect(state.exited(rank(1), null, "SIGKILL")).toBe("wait");
  expect(failureOf(state).member).toEqual(rank(2));
});

test("an exit without a result is a failure although its code is 0", () => {
  const state = new GroupState(membersFrom(0, 1), place);
  expect(state.exited(rank(0), 0, null)).toBe("endNow");
  expect(failureOf(state).problem.detail).toContain("exited with code 0");
});

test("a step whose rank 0 returns nothing is told what a step returns", () => {
  const state = new GroupState(membersFrom(0, 1), place);
  state.finished(rank(0), null, false);
  state.exited(rank(0), 0, null);
  expect(failureOf(state).problem.code).toBe("COMPONENT_INVALID");
});

test("ranks without rank 0 have no result to give: its host gives it", () => {
  const state = new GroupState(membersFrom(2, 1), place);
  state.finished(rank(2), null, false);
  state.exited(rank(2), 0, null);
  expect(state.outcome).toEqual({ type: "succeeded", manifest: null });
});

test("sampler processes beside the ranks are called so, and one that is lost ends the ranks too", () => {
  const state = new GroupState(membersFrom(1, 1, 2), place);
  expect(state.exited({ kind: "sampler", index: 1 }, null, "SIGKILL")).toBe("endNow");
  expect(failureOf(state).problem.detail).toContain("Sampler 1 on h1 was killed by SIGKILL during train");
  expect(state.hasEnded(rank(1))).toBe(false);
});

test("sampler processes on a host of their own have no result to give", () => {
  const sampler: Member = { kind: "sampler", index: 0 };
  const state = new GroupState([sampler], place);
  state.finished(sampler, null, true);
  expect(state.isSettled).toBe(true);
  expect(state.outcome).toEqual({ type: "succeeded", manifest: null });
});
