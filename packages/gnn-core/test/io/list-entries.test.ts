import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ListEntries } from "../../src/io/json-lists/list-entries.ts";
import { listsByKey } from "../../src/io/json-lists/lists-by-key.ts";

function entriesOf(pieces: readonly string[]) {
  const reading = new ListEntries("x.json");
  const found = pieces.flatMap((piece) => [...reading.read(piece)]);
  return { found: found.map(({ key, items }) => [key, items]), isEnded: reading.isEnded };
}

const item = fc.oneof(fc.integer(), fc.constantFrom("a", 'q"\\', "[1, {", "é|", ""), fc.constant(null), fc.boolean());
const object = fc.array(fc.tuple(fc.string(), fc.array(item, { maxLength: 5 })), { maxLength: 6 });

describe("an object of lists that comes in pieces", () => {
  it("has the entries that JSON.parse finds, wherever it is cut and however it is spaced", () => {
    const drawn = fc.record({ entries: object, indent: fc.nat(2), cuts: fc.array(fc.nat(200), { maxLength: 6 }) });
    fc.assert(
      fc.property(drawn, ({ entries, indent, cuts }) => {
        const texts = entries.map(([key, list]) => `${JSON.stringify(key)}: ${JSON.stringify(list, null, indent)}`);
        const text = ` {${texts.join(indent > 0 ? ",\n" : ",")}} \n`;
        const places = [0, ...cuts.filter((at) => at < text.length).toSorted((a, b) => a - b), text.length];
        const pieces = places.slice(1).map((end, i) => text.slice(places[i], end));
        expect(entriesOf(pieces)).toEqual({ found: entries, isEnded: true });
        expect(Object.fromEntries(entries)).toEqual(JSON.parse(text));
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ['{"0": [1], "1": 5}', 'x.json, entry 2 ("1"): its value is no list'],
    ['{"0": [1], "1": [2,]}', 'x.json, entry 2 ("1"): its list is damaged: [2,]'],
    ['{"0": [1] "1": [2]}', 'x.json, entry 1 ("0"): found "\\"" where a comma or the end was expected'],
    ['{"0": [[1]]}', "its list holds [1]; expected numbers or texts"],
    ['{"0": [12345678901234567890]}', "has more digits than JSON readers keep"],
    ['{"0": [1]} {', 'found "{" where nothing more was expected'],
    ["[1]", 'entry 1: found "[" where an object was expected'],
  ])("is refused at the entry that is wrong: %s", (text, message) => {
    expect(() => entriesOf([text])).toThrow(message);
  });

  it("has not come to its end where the text is cut", () => {
    expect(entriesOf(['{"0": [1], "1": [2']).isEnded).toBe(false);
  });
});

describe("what lists stand for", () => {
  it.each([
    ['{"0": [1, 2], "1": [3], "2": []}', "byKey"],
    ['{"a": [1, 2], "b": [3], "c": []}', "byKey"],
    ['{"0": [1, 2], "1": [3, 4]}', "byKey"],
    ['{"src": [1, 2, 3], "dst": [2, 3, 4]}', "byColumn"],
    ['{"id": ["a", "b", "c", "d"], "x": [1, 2, 3, 4], "y": [1, 2, 3, 4]}', "byColumn"],
    ['{"0": 5}', null],
    ['{"0": {"a": 1}}', null],
    ["[1, 2]", null],
  ])("%s is %s", (text, kind) => {
    expect(listsByKey(text)).toBe(kind);
  });
});
