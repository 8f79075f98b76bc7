import { AppError, limits } from "@hopwise/contracts";
import { describe, expect, it } from "vitest";
import { parseYaml } from "../../src/input/parse-yaml.ts";

const spec = `# a job as the guide writes it
version: 1
kind: train
dataset: "ds_1"   # quoted
task: { target: label, classes: ['it''s [', "b ]"] }
model:
  type: sage
  options:
    hiddenFeats: &width 256
    note: |
      [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[ are text here
      a: b: c: d: e: f: g: h: i: j: k
    again: *width
sampling:
- fanouts: [10, 10]
- fanouts:
  - 5
  - 5
`;

describe("a YAML body", () => {
  it("is read as the guide writes it, with texts that look like structure", () => {
    expect(parseYaml(spec)).toMatchObject({
      version: 1,
      dataset: "ds_1",
      task: { target: "label", classes: ["it's [", "b ]"] },
      model: { options: { hiddenFeats: 256, again: 256 } },
      sampling: [{ fanouts: [10, 10] }, { fanouts: [5, 5] }],
    });
  });

  const size = limits.yamlBodyBytes;
  const filled = (part: string) => part.repeat(Math.ceil(size / part.length)).slice(0, size);
  const lines = (line: (i: number) => string) => Array.from({ length: 3000 }, (_, i) => line(i)).join("");
  const bombs: readonly (readonly [string, string])[] = [
    ["flow lists in each other", filled("[")],
    ["flow maps in each other", filled('{"a":')],
    ["flow lists whose closers are quoted", filled('["]",')],
    ["flow lists, one a line", filled("[\n")],
    ["lists in one line", filled("- ")],
    ["keys in one line", filled("? ")],
    ["maps in one line", filled("a: ")],
    ["each line deeper than the last", Array.from({ length: 250 }, (_, i) => `${" ".repeat(i)}a:\n`).join("")],
    [
      "lines deeper after a block text",
      `a: |\n  x\n${Array.from({ length: 250 }, (_, i) => `${" ".repeat(i)}- b:\n`).join("")}`,
    ],
    ["more tokens than a spec has", filled("- a\n")],
    [
      "anchors, each ten times the one before",
      `a0: &a0 [x]\n${Array.from({ length: 20 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i},`.repeat(10)}]\n`).join("")}`,
    ],
    ["an anchor within itself", "a: &a [*a]"],
    ["an error in every line", lines((i) => `k${i}: @\n`)],
    ["an error in every character", `"${"\\q".repeat(size / 2 - 1)}"`],
    ["many documents", filled("---\n")],
    ["many directives", filled("%A\n")],
    ["a prototype", "__proto__: { role: admin }"],
    ["a constructor's prototype", "constructor: { prototype: { role: admin } }"],
    ["a NUL", '"a\\0b"'],
  ];

  it.each(bombs)("with %s is refused", (_what, text) => {
    expect(text.length).toBeLessThanOrEqual(size + 20);
    expect(() => parseYaml(text)).toThrow(AppError);
  });

  it("says the line of an error", () => {
    expect(() => parseYaml("a: b\nc: [")).toThrow(
      expect.objectContaining({ problem: expect.objectContaining({ code: "REQUEST_INVALID", line: 2 }) }),
    );
  });

  it("is of plain values only, whatever a %YAML line or a tag asks for", () => {
    expect(parseYaml("%YAML 1.1\n---\na: yes\nb: !!set {x}\nc: !!timestamp 2020-01-01\n")).toEqual({
      a: "yes",
      b: { x: null },
      c: "2020-01-01",
    });
  });
});
