import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { DeferredDeletion } from "../../src/services/deferred-deletion.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const lists = (deletion: DeferredDeletion) => [...deletion.hidden()];

test("what is deleted is out of sight at once, and asked of the service only after the time to take it back", async () => {
  const deletion = new DeferredDeletion();
  const deleted: string[] = [];
  deletion.start(["a", "b"], 1000, async (id) => deleted.push(id) > 0);
  expect(lists(deletion)).toEqual(["a", "b"]);
  await vi.advanceTimersByTimeAsync(999);
  expect(deleted).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(deleted).toEqual(["a", "b"]);
  expect(lists(deletion)).toEqual(["a", "b"]);
});

test("what is taken back is seen again and never deleted, and what was deleted besides stays so", async () => {
  const deletion = new DeferredDeletion();
  const deleted: string[] = [];
  const remove = async (id: string) => deleted.push(id) > 0;
  const undo = deletion.start(["a"], 1000, remove);
  deletion.start(["b"], 1000, remove);
  undo();
  expect(lists(deletion)).toEqual(["b"]);
  await vi.advanceTimersByTimeAsync(5000);
  expect(deleted).toEqual(["b"]);
});

test("taking back is too late once the deletion has begun", async () => {
  const deletion = new DeferredDeletion();
  const undo = deletion.start(["a"], 1000, async () => true);
  await vi.advanceTimersByTimeAsync(1000);
  undo();
  expect(lists(deletion)).toEqual(["a"]);
});

test("what the service refuses to delete is seen again, and whoever listens is told", async () => {
  const deletion = new DeferredDeletion();
  const told: string[][] = [];
  deletion.subscribe(() => told.push(lists(deletion)));
  deletion.start(["a", "b"], 1000, async (id) => id === "b");
  await vi.advanceTimersByTimeAsync(1000);
  expect(told).toEqual([["a", "b"], ["b"]]);
});
