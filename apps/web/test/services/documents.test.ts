import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { minifyIntrospection, outputIntrospectionFile } from "@gql.tada/internal";
import { buildSchema, introspectionFromSchema, validate } from "graphql";
import { describe, expect, test } from "vitest";
import { allDocuments } from "../support/all-documents.ts";

const schemaPath = fileURLToPath(new URL("../../../api/schema.graphql", import.meta.url));
const generatedPath = fileURLToPath(new URL("../../src/generated/introspection.ts", import.meta.url));

describe("against apps/api/schema.graphql", () => {
  const schema = buildSchema(readFileSync(schemaPath, "utf8"));

  test.each(Object.entries(allDocuments))("%s is valid", (_name, document) => {
    const errors = validate(schema, document);
    expect(errors.map((error) => error.message)).toEqual([]);
  });

  test("these are all that the folder of documents has", () => {
    const folder = new URL("../../src/services/documents/", import.meta.url);
    const texts = readdirSync(folder).map((file) => readFileSync(new URL(file, folder), "utf8"));
    const names = texts.flatMap((text) => Array.from(text.matchAll(/^export const (\w+)/gm), ([, name]) => name));
    expect(new Set(Object.keys(allDocuments))).toEqual(new Set(names));
  });

  test("the types were generated from this schema; if not, run npm run graphql-types -w @hopwise/web", () => {
    const introspection = minifyIntrospection(introspectionFromSchema(schema, { descriptions: false }));
    expect(readFileSync(generatedPath, "utf8")).toBe(outputIntrospectionFile(introspection, { fileType: ".ts" }));
  });
});
