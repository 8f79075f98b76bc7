import { writeFile } from "node:fs/promises";
import { errorsPage } from "./errors-page.ts";

/** Run by script/print-errors; a test compares the page with the table. */
await writeFile(new URL("../../../../docs/errors.md", import.meta.url), errorsPage());
