import { expect, test } from "vitest";
import { boxSize, layOutSchema } from "../../src/services/schema-layout.ts";

const type = (name: string) => ({ name, count: 5, numFeatures: 0 });
const types = ["author", "paper", "venue", "topic", "place"].map(type);
const relation = (source: string, name: string, target: string) => ({ source, name, target, count: 3 });

test("a relation and its reverse are one line with arrows at both ends, one within a type is a loop", () => {
  const relations = [
    relation("author", "writes", "paper"),
    relation("paper", "rev_writes", "author"),
    relation("paper", "about", "topic"),
    relation("paper", "cites", "paper"),
  ];
  const { lines } = layOutSchema(types, relations);
  expect(lines.map(({ from, to, leadsOn, leadsBack }) => [from.name, to.name, leadsOn, leadsBack])).toEqual([
    ["author", "paper", true, true],
    ["paper", "topic", true, false],
    ["paper", "paper", true, false],
  ]);
  expect(lines[0]?.relations).toHaveLength(2);
});

test.each([1, 2, 3, 5, 12])("%i boxes lie within the picture, none over another", (count) => {
  const many = Array.from({ length: count }, (_, i) => type(`t${i}`));
  const { boxes, width, height } = layOutSchema(many, []);
  for (const [i, { x, y }] of boxes.entries()) {
    expect(Math.min(x, width - x)).toBeGreaterThanOrEqual(boxSize.width / 2);
    expect(Math.min(y, height - y)).toBeGreaterThanOrEqual(boxSize.height / 2);
    for (const other of boxes.slice(i + 1)) {
      const isApart = Math.abs(other.x - x) > boxSize.width || Math.abs(other.y - y) > boxSize.height;
      expect(isApart, `t${i} and ${other.name}`).toBe(true);
    }
  }
});

test("a line ends at the border of its boxes", () => {
  const { lines } = layOutSchema(types.slice(0, 2), [relation("author", "writes", "paper")]);
  const { from, to, start, end } = lines[0]!;
  expect(start.x - from.x).toBeCloseTo(boxSize.width / 2 + 4);
  expect(to.x - end.x).toBeCloseTo(boxSize.width / 2 + 4);
});
