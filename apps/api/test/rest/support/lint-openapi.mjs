// Prints what the recommended rules of Redocly find in the OpenAPI document on standard input, as JSON lines. A program
// of its own: the linter carries its own copies of half a dozen libraries.
import { text } from "node:stream/consumers";
import { createConfig, lintFromString } from "@redocly/openapi-core";

const config = await createConfig({ extends: ["recommended"] });
const problems = await lintFromString({ source: await text(process.stdin), config });
for (const { ruleId, severity, message, location } of problems) {
  const fault = { rule: ruleId, severity, message, pointer: location[0]?.pointer ?? "" };
  process.stdout.write(`${JSON.stringify(fault)}\n`);
}
