// Prints every syntax finding of the Dockerfiles given and exits 1 when there is one.
import { readFileSync } from "node:fs";
import dockerfileUtils from "dockerfile-utils";

const findings = process.argv.slice(2).flatMap((file) =>
  dockerfileUtils.validate(readFileSync(file, "utf8")).map(({ range, message }) => {
    const text = typeof message === "string" ? message : message.value;
    return `${file}:${range.start.line + 1}: ${text}`;
  }),
);
for (const finding of findings) console.error(finding);
process.exit(findings.length === 0 ? 0 : 1);
