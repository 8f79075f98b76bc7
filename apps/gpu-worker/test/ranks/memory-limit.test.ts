import { pino } from "pino";
import { expect, test } from "vitest";
import { canLimitMemory, isAllocationFailure } from "../../src/ranks/memory-limit.ts";

const mib = 1024 ** 2;

function tried(bytes: number): { readonly can: boolean; readonly warnings: string[] } {
  const warnings: string[] = [];
  const log = pino({}, { write: (line: string) => void warnings.push(JSON.parse(line).msg) });
  return { can: canLimitMemory(bytes, log), warnings };
}

test("a limit within which Node itself does not start is no limit for steps, and the log says so", () => {
  expect(tried(40 * mib)).toEqual({
    can: false,
    warnings: ["the memory of steps is not limited: Node does not start within so little"],
  });
});

test("a limit that leaves Node room is one, without a word", () => {
  expect(tried(8192 * mib)).toEqual({ can: true, warnings: [] });
});

test("what V8 says when it is refused memory outside its heap is an allocation failure, too", () => {
  expect(isAllocationFailure("#\n# Fatal process out of memory: Zone\n#")).toBe(true);
  expect(isAllocationFailure("killed")).toBe(false);
});
