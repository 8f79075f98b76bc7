import { describe, expect, it } from "vitest";
import { jsonExcess } from "../../src/io/json-excess.ts";

/** Counted from what JSON.parse makes of the text. */
function measured(value: unknown): { depth: number; values: number } {
  if (typeof value !== "object" || value === null) return { depth: 0, values: 1 };
  const inner = Object.values(value).map(measured);
  return {
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
    values: 1 + inner.reduce((sum, { values }) => sum + values, 0),
  };
}

describe("the bounds of a JSON text", () => {
  const texts = [
    "1",
    "[]",
    '{"a":[1,{"b":[]}],"c":"x"}',
    '["[[[[","{{{{",",,,,"]',
    '{"\\"[[[":"\\\\","\\\\\\"{":[[["]"]]]}',
    ' [ [ [ 1 , 2 ] , [ ] ] , { "k" : { } } ] ',
  ];

  it.each(texts)("admit %s at its own depth and not below", (text) => {
    const { depth, values } = measured(JSON.parse(text));
    expect(jsonExcess(text, { depth, values: 100 })).toBeNull();
    if (depth > 0) expect(jsonExcess(text, { depth: depth - 1, values: 100 })).toContain(`deeper than ${depth - 1}`);
    // A container counts once more than its values, for nothing is looked at twice to see whether it is empty.
    expect(jsonExcess(text, { depth, values: 2 * values })).toBeNull();
    if (values > 1) expect(jsonExcess(text, { depth, values: Math.floor(values / 2) })).toContain("more than");
  });

  it("stop a megabyte of brackets at the bound", () => {
    expect(jsonExcess("[".repeat(2 ** 20), { depth: 32, values: 1e6 })).toContain(
      "deeper than 32 levels (character 33)",
    );
    expect(jsonExcess('{"a":'.repeat(2 ** 18), { depth: 32, values: 1e6 })).toContain("deeper than 32");
    expect(jsonExcess(`[${"0,".repeat(2 ** 19)}0]`, { depth: 32, values: 1000 })).toContain("more than 1000 values");
  });

  it("are not evaded by closers in texts, nor by a text that never ends", () => {
    expect(jsonExcess('["]",'.repeat(100), { depth: 32, values: 1000 })).toContain("deeper than 32");
    expect(jsonExcess(`"${"[".repeat(100)}`, { depth: 32, values: 1000 })).toBeNull();
    expect(jsonExcess(`"a\\`, { depth: 32, values: 1000 })).toBeNull();
  });
});
