import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { loadRegistry } from "@hopwise/gnn-core/spec";
import { expect, it } from "vitest";
import { jobSpecPage } from "../../src/jobs/job-spec-page.ts";

it("docs/guides/job-spec.md has the fields, components and defaults that are (script/print-job-spec writes it)", async () => {
  const page = fileURLToPath(new URL("../../../../docs/guides/job-spec.md", import.meta.url));
  expect(await readFile(page, "utf8")).toBe(jobSpecPage(await loadRegistry()));
});
