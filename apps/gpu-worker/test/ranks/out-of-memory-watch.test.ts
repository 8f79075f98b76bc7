import { expect, test } from "vitest";
import { OutOfMemoryWatch } from "../../src/ranks/out-of-memory-watch.ts";

test("a kill of the kernel explains the deaths that are seen within the next ten looks, and no later ones", () => {
  let count = 7; // of earlier lives
  const watch = new OutOfMemoryWatch(() => count);
  expect(watch.hasKilled).toBe(false);
  count = 8;
  expect(watch.hasKilled).toBe(true);
  for (let looks = 1; looks < 10; looks++) watch.look();
  expect(watch.hasKilled).toBe(true);
  watch.look();
  expect(watch.hasKilled).toBe(false);
});

test("where nobody counts nothing is said", () => {
  const watch = new OutOfMemoryWatch(() => null);
  watch.look();
  expect(watch.hasKilled).toBe(false);
});
