/**
 * Writes src/generated/introspection.ts from the API's schema, for gql.tada: `npm run graphql-types -w @hopwise/web`.
 * gql.tada's own command needs TypeScript's JavaScript API, which TypeScript 7 does not have.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { minifyIntrospection, outputIntrospectionFile } from "@gql.tada/internal";
import { buildSchema, introspectionFromSchema } from "graphql";

const schemaPath = process.argv[2] ?? fileURLToPath(new URL("../../api/schema.graphql", import.meta.url));
const target = fileURLToPath(new URL("../src/generated/introspection.ts", import.meta.url));

const introspection = introspectionFromSchema(buildSchema(readFileSync(schemaPath, "utf8")), { descriptions: false });
writeFileSync(target, outputIntrospectionFile(minifyIntrospection(introspection), { fileType: ".ts" }));
