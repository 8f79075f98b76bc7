import { writeFile } from "node:fs/promises";
import { printSchema } from "graphql";
import { schema } from "./schema.ts";

/** Run by script/print-schema; a test compares the file with the schema. */
await writeFile(new URL("../../../schema.graphql", import.meta.url), `${printSchema(schema)}\n`);
