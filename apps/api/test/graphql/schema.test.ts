import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { printSchema } from "graphql";
import { expect, it } from "vitest";
import { schema } from "../../src/graphql/schema/schema.ts";

it("apps/api/schema.graphql is the schema in code (script/print-schema writes it)", async () => {
  const file = fileURLToPath(new URL("../../schema.graphql", import.meta.url));
  expect(await readFile(file, "utf8")).toBe(`${printSchema(schema)}\n`);
});
