import { limits } from "@hopwise/contracts";
import { describe, expect, it } from "vitest";
import { formatGraphqlErrors } from "../../src/graphql/base/graphql-errors.ts";
import { type OperationRequest, readOperation } from "../../src/graphql/operations/read-operation.ts";

const repeat = (n: number, text: (i: number) => string) => Array.from({ length: n }, (_, i) => text(i)).join(" ");
const aliases = (n: number, field: string) => `{ ${repeat(n, (i) => `a${i}: ${field}`)} }`;

function codesOf(request: OperationRequest): unknown[] {
  const read = readOperation(request);
  if (!("length" in read)) return ["admitted"];
  const { response } = formatGraphqlErrors({ errors: read }, () => {});
  return (response.errors ?? []).map(({ extensions }) => extensions.code);
}

describe("a document is refused before it costs anything", () => {
  it.each([
    { what: "2,400 aliases of a schema", query: aliases(2400, "catalog { jobSpecSchema }") },
    { what: "800 counts of jobs", query: aliases(800, "jobs { totalCount }") },
    { what: "so many tokens", query: aliases(limits.graphqlTokens, "me { role }") },
    { what: "more lines than a person writes", query: `${"\n".repeat(limits.graphqlLines)}{ me { role } }` },
    { what: "more characters than are read", query: `{ me { role } }${",".repeat(limits.graphqlCharacters)}` },
    { what: "a tree in place of a text", query: { kind: "Document", definitions: [] } },
    { what: "a tree as text", query: JSON.stringify({ kind: "Document", definitions: [] }) },
    { what: "a depth that no parser should follow", query: `${"{ me ".repeat(3000)}${"}".repeat(3000)}` },
    { what: "fragments in a ring", query: "{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }" },
    {
      what: "the schema asked for types within types",
      query: aliases(60, "__schema { types { fields { type { fields { name } } } } }"),
    },
    { what: "variables that are a list", query: "{ me { role } }", variables: [] },
  ])("with $what", ({ what: _what, ...request }) => {
    expect(codesOf(request)).not.toContain("admitted");
  });

  it.each([
    { what: "aliases of costly fields", query: aliases(60, `jobs(first: 200) { nodes { id spec } }`) },
    {
      what: "lists inside lists",
      query: "{ jobs(first: 200) { nodes { dataset { jobs { dataset { jobs { id } } } } } } }",
    },
    {
      what: "fragments that double at every step",
      query: `{ ...F0 } ${repeat(60, (i) => `fragment F${i} on Query { ...F${i + 1} ...F${i + 1} }`)} fragment F60 on Query { me { role } }`,
    },
    { what: "the same fields again and again", query: `{ me { ${"role ".repeat(980)} } }` },
  ])("with $what, which would cost too much", ({ query }) => {
    expect(codesOf({ query })).toEqual(["REQUEST_TOO_COSTLY"]);
  });

  it("counts what variables ask for, not only what is written", () => {
    const query = `query ($first: Int, $points: Int) { ${repeat(15, (i) => `a${i}: jobs(first: $first) { nodes { id series(maxPoints: $points) { name } } }`)} }`;
    expect(codesOf({ query, variables: { first: 1, points: 2 } })).toEqual(["admitted"]);
    expect(codesOf({ query, variables: { first: 200, points: 10_000 } })).toEqual(["REQUEST_TOO_COSTLY"]);
  });

  it("tells of few mistakes, however many there are", () => {
    const errors = codesOf({ query: `{ ${repeat(900, (i) => `x${i}`)} }` });
    expect(errors.length).toBeLessThan(30);
    expect(new Set(errors)).toEqual(new Set(["REQUEST_INVALID"]));
    const variables = { spec: {}, states: Array.from({ length: 90_000 }, () => 1) };
    const many = codesOf({
      query: "query ($states: [JobState!]) { jobs(filter: { states: $states }) { totalCount } }",
      variables,
    });
    expect(many.length).toBeLessThan(20);
  });
});
