import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const library = fileURLToPath(new URL("../../build/hopwise.node", import.meta.url));

/** Names in the dynamic symbol table; those of versioned system libraries carry an "@". */
function symbols(path: string, which: "--undefined-only" | "--defined-only"): string[] {
  const table = execFileSync("nm", ["--dynamic", which, path], { encoding: "utf8", maxBuffer: 2 ** 26 });
  return table.split("\n").map((line) => line.split(" ").at(-1) ?? "");
}

test("the native library needs nothing of Node but N-API, so that one binary serves every version", () => {
  const ofNode = new Set(symbols(process.execPath, "--defined-only").map((name) => name.split("@")[0]));
  const needed = symbols(library, "--undefined-only").filter((name) => name !== "" && ofNode.has(name));
  expect(needed.length).toBeGreaterThan(10);
  expect(needed.filter((name) => !name.startsWith("napi_"))).toEqual([]);
});
