import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseTriple } from "../../../src/io/rdf/parse-triple.ts";
import { parseTurtle } from "../../../src/io/rdf/parse-turtle.ts";
import type { Triple } from "../../../src/io/rdf/triples-table.ts";

/** What is found in a text that comes in pieces of so many characters. */
async function read(text: string, size = 7) {
  async function* pieces() {
    for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
  }
  const found: (Triple | null)[] = [];
  for await (const { triple } of parseTurtle(pieces(), "g.ttl")) found.push(triple);
  return found;
}

const triple = (subject: string, predicate: string, object: string): Triple => ({ subject, predicate, object });
const x = (name: string) => `http://x/${name}`;

describe("triples of Turtle", () => {
  const name = fc.stringMatching(/^[a-z0-9]{1,6}$/).map((text) => `<http://x/${text}>`);
  const escaped = fc.constantFrom("<http://x/\\u00e9>", "<http://x/\\U0001F600>");
  const blank = fc.stringMatching(/^[a-z][a-z0-9]{0,4}$/).map((text) => `_:${text}`);
  const literal = fc.constantFrom('"a"', '"7"^^<http://x/int>', '"b"@en', String.raw`"a \"b\" ."`);
  const line = fc
    .tuple(fc.oneof(name, blank), fc.oneof(name, escaped), fc.oneof(name, blank, escaped, literal))
    .map((terms) => `${terms.join(" ")} .`);

  it("are those of N-Triples, which are Turtle, however the text is cut", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 12 }), fc.integer({ min: 1, max: 40 }), async (lines, size) => {
        const expected = lines.map(parseTriple).map((found) => (found === "literal" ? null : found));
        expect(await read(lines.map((one) => `${one}\n`).join(""), size)).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  it("have whole addresses, by prefixes and base", async () => {
    const text = `@prefix ex: <http://x/> . @base <http://y/> . PREFIX : <http://z#>
      ex:a a ex:T ; ex:p :b, <c> .`;
    const type = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type";
    expect(await read(text)).toEqual([
      triple(x("a"), type, x("T")),
      triple(x("a"), x("p"), "http://z#b"),
      triple(x("a"), x("p"), "http://y/c"),
    ]);
  });

  it("number blank nodes without a label by the file, and as no label is", async () => {
    const text = "@prefix ex: <http://x/> . ex:a ex:p [ ex:q _:b1 ] .";
    const expected = [triple("_:[1]", x("q"), "_:b1"), triple(x("a"), x("p"), "_:[1]")];
    expect(await read(text)).toEqual(expected);
    expect(await read(text)).toEqual(expected);
  });

  it("are those of all graphs of TriG and N-Quads", async () => {
    const trig = "@prefix ex: <http://x/> . ex:g { ex:a ex:p ex:b } GRAPH ex:h { ex:b ex:p ex:c . }";
    expect(await read(trig)).toEqual([triple(x("a"), x("p"), x("b")), triple(x("b"), x("p"), x("c"))]);
    expect(await read("<http://x/a> <http://x/p> <http://x/b> <http://x/g> .")).toEqual([
      triple(x("a"), x("p"), x("b")),
    ]);
  });

  it("of statements about statements join nothing", async () => {
    const text = "@prefix ex: <http://x/> . ex:a ex:p ex:b {| ex:sure 0.5 |} .";
    expect(await read(text)).toEqual([triple(x("a"), x("p"), x("b")), null, null]);
  });

  it.each([
    ["a prefix that is not declared", "\n<http://x/a> <http://x/p> ex:b .", /line 2: the prefix "ex:" is not declared/],
    ["a text that does not end", '@prefix ex: <http://x/> .\n\nex:a ex:p "b\n', /line 3: found unexpected/],
    ["a statement that does not end", "<http://x/a> <http://x/p>", /line 1: found expected entity but got eof/],
    ["rules of N3", "@prefix : <http://x/> .\n{ ?a :p ?b } => { ?b :p ?a } .", /line 2: found unexpected "\?a"/],
    ["a prefix of thousands of characters", `@prefix e: <http://x/${"a".repeat(9000)}> .`, /more than 8192 characters/],
  ])("are refused at the line of %s", async (_what, text, refusal) => {
    await expect(read(text)).rejects.toThrow(refusal);
  });

  it("are not looked for without end", async () => {
    const text = `<http://x/a> <http://x/p> """${"b".repeat(3 * 2 ** 20)}`;
    await expect(read(text, 2 ** 16)).rejects.toThrow(/g\.ttl, line 1: what begins here does not end within a million/);
  });
});
