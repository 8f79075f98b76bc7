import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { errorsPage } from "../../src/errors/errors-page.ts";

it("docs/errors.md lists every code as the table has it (script/print-errors writes it)", async () => {
  const page = fileURLToPath(new URL("../../../../docs/errors.md", import.meta.url));
  expect(await readFile(page, "utf8")).toBe(errorsPage());
});
