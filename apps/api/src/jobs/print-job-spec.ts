import { writeFile } from "node:fs/promises";
import { loadRegistry } from "@hopwise/gnn-core/spec";
import { jobSpecPage } from "./job-spec-page.ts";

/** Run by script/print-job-spec; a test compares the page with schema and catalogue. */
const page = new URL("../../../../docs/guides/job-spec.md", import.meta.url);
await writeFile(page, jobSpecPage(await loadRegistry()));
