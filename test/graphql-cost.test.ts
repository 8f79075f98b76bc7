import { limits } from "@hopwise/contracts";
import { getIntrospectionQuery, getOperationAST, parse, print } from "graphql";
import { describe, expect, it } from "vitest";
import { costOf } from "../apps/api/src/graphql/operations/cost.ts";
import { readOperation } from "../apps/api/src/graphql/operations/read-operation.ts";
import { allDocuments } from "../apps/web/test/support/all-documents.ts";

/** As large as the pages ask; names that a document does not declare are not looked at. */
const variables = {
  id: "x",
  jobId: "x",
  job: "x",
  dataset: "x",
  kind: "EMBEDDINGS",
  format: "npy",
  version: "x",
  name: "x",
  note: "x",
  stage: "PRODUCTION",
  number: 1,
  earlier: 1,
  later: 2,
  withFiles: true,
  starred: true,
  upTo: 1,
  priority: 9,
  tags: { kind: "smoke test" },
  drained: true,
  webhook: "x",
  draft: { name: "x", url: "https://example.com/", events: ["DONE"] },
  sort: { by: "RESULT", descending: true },
  workerId: "x",
  before: "1",
  spec: {},
  input: { name: "x", role: "VIEWER" },
  first: 100,
  node: "x",
  nodes: [{ id: "x" }],
  maxPoints: 50_000,
  from: "CHECKPOINT",
  since: "2026-11-01T00:00:00Z",
  limits: { slots: 4 },
  prices: { currency: "EUR", perRankHour: 1, perDeviceHour: 2 },
  epochs: 100,
  maxDuration: "PT2H",
  idempotencyKey: "x",
};

/** Where a name of a variable means something else. */
const ownVariables: Readonly<Record<string, Record<string, unknown>>> = {
  createSourceCredentialMutation: { input: { name: "x", kind: "BEARER", hosts: ["example.com"], secret: "x" } },
  proposeImportMutation: { input: { url: "x", credential: "x" } },
  startImportMutation: { input: { published: "cora" } },
};

function costOfText(query: string, given: Record<string, unknown> = {}): number {
  const document = parse(query);
  const operation = getOperationAST(document);
  if (!operation) throw new Error("There is no operation.");
  return costOf(document, operation, given).cost;
}

describe("what is asked every day stays well inside the limit", () => {
  it.each(Object.entries(allDocuments))("%s of the dashboard", (name, document) => {
    const query = print(document);
    const given = { ...variables, ...ownVariables[name] };
    expect(readOperation({ query, variables: given })).toMatchObject({ kind: expect.any(String) });
    expect(costOfText(query, given)).toBeLessThan(limits.graphqlCost / 2);
  });

  it("the introspection by which Altair and code generators learn the schema", () => {
    const query = getIntrospectionQuery({ specifiedByUrl: true, schemaDescription: true, inputValueDeprecation: true });
    expect(readOperation({ query })).toMatchObject({ kind: "query" });
    // It grows with the schema.
    expect(costOfText(query)).toBeLessThan((2 / 3) * limits.graphqlCost);
  });
});
