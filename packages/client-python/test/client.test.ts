import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { pythonClientFiles } from "../../../script/lib/python-client.ts";
import { hasPython, python } from "../../../test/support/python.ts";

describe("the client for Python", () => {
  it("has the models and calls of the API's contract (else run script/print-python-client)", () => {
    for (const { url, text } of pythonClientFiles()) expect(readFileSync(url, "utf8"), url.pathname).toBe(text);
  });

  it.skipIf(!hasPython)("passes its own tests, with the standard library alone", async () => {
    const { stderr } = await python(["-S", "-m", "unittest", "discover", "-s", "test"]);
    expect(stderr).toMatch(/^OK/m);
    expect(Number(/Ran (\d+) tests/.exec(stderr)?.[1])).toBeGreaterThan(15);
  });
});
