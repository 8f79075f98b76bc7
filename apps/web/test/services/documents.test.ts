import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { minifyIntrospection, outputIntrospectionFile } from "@gql.tada/internal";
import { buildSchema, introspectionFromSchema, validate } from "graphql";
import { describe, expect, test } from "vitest";
import * as documents from "../../src/services/documents.ts";

const schemaPath = fileURLToPath(new URL("../../../api/schema.graphql", import.meta.url));
const generatedPath = fileURLToPath(new URL("../../src/generated/introspection.ts", import.meta.url));

describe("against apps/api/schema.graphql", () => {
  const schema = buildSchema(readFileSync(schemaPath, "utf8"));

  test.each(Object.entries(documents))("%s is valid", (_name, document) => {
    const errors = validate(schema, document);
    expect(errors.map((error) => error.message)).toEqual([]);
  });

  test("the types were generated from this schema; if not, run npm run graphql-types -w @hopwise/web", () => {
    const introspection = minifyIntrospection(introspectionFromSchema(schema, { descriptions: false }));
    expect(readFileSync(generatedPath, "utf8")).toBe(outputIntrospectionFile(introspection, { fileType: ".ts" }));
  });
});
