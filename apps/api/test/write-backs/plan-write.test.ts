import { AppError } from "@hopwise/contracts";
import { expect, it } from "vitest";
import { planWrite } from "../../src/write-backs/sql/plan-write.ts";
import type { TargetTable } from "../../src/write-backs/sql/target-table.ts";
import type { TableWrite } from "../../src/write-backs/table-write.ts";

const pgvector = '"extensions"."vector"';

function plan(wish: Partial<TableWrite>, target: TargetTable | null, vectorType: string | null, dim = 3) {
  const columns = [
    { name: "id", type: "text", dim: null },
    { name: "embedding", type: "vector", dim },
  ] as const;
  const shape = { file: "embeddings.pgcopy", numRows: 1, key: ["id"], nodeType: null, columns: [...columns] };
  const write = { schema: "public", table: "t", mode: "create", vector: "auto", names: {}, shape, ...wish };
  return planWrite(write as TableWrite, target, vectorType);
}

const table = (type: string, form: "vector" | "array" | null): TargetTable => ({
  kind: "r",
  comment: null,
  columns: new Map([
    ["id", { type: "text", form: null }],
    ["embedding", { type, form }],
  ]),
});

it("vectors become pgvector's where it is installed and takes as many numbers, else arrays", () => {
  expect(plan({}, null, pgvector)).toEqual({
    into: '"public"."t"',
    form: "vector",
    columns: [
      { name: '"id"', type: "text" },
      { name: '"embedding"', type: '"extensions"."vector"(3)' },
    ],
    key: ['"id"'],
  });
  expect(plan({}, null, null).columns[1]?.type).toBe("real[]");
  expect(plan({}, null, pgvector, 16_001).columns[1]?.type).toBe("real[]");
  expect(plan({ vector: "array" }, null, pgvector).form).toBe("array");
});

it("what a table has decides, unless something else is asked for", () => {
  expect(plan({ mode: "replace" }, table("vector(3)", "vector"), pgvector).form).toBe("vector");
  expect(plan({ mode: "replace" }, table("halfvec(3)", "vector"), null).form).toBe("vector");
  expect(plan({ mode: "replace" }, table("double precision[]", "array"), pgvector).form).toBe("array");
  expect(() => plan({ mode: "replace", vector: "vector" }, table("real[]", "array"), pgvector)).toThrow(
    /of the type real\[\], expected vector\(3\)/,
  );
});

it.each([
  ["vector", 16_001, "pgvector takes 16000"],
  ["columns", 1501, "about 1500 columns"],
] as const)("more numbers than %s takes are refused", (vector, dim, said) => {
  const refused = () => plan({ vector }, null, pgvector, dim);
  expect(refused).toThrow(AppError);
  expect(refused).toThrow(said);
});
