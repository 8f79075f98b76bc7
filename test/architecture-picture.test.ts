import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import {
  architecturePath,
  architectureWithPictures,
  mermaid,
  withoutShortcuts,
} from "../script/lib/architecture-picture.ts";

it("docs/ARCHITECTURE.md shows the imports that there are (script/print-architecture draws them anew)", () => {
  expect(readFileSync(architecturePath, "utf8")).toBe(architectureWithPictures());
}, 120_000);

it("an arrow is left out where a longer way says it too", () => {
  const imports = new Map([
    ["train", new Set(["nn", "ops", "errors"])],
    ["nn", new Set(["ops"])],
    ["ops", new Set(["errors"])],
  ]);
  expect(mermaid(withoutShortcuts(imports))).toBe("flowchart TD\n  nn --> ops\n  ops --> errors\n  train --> nn");
});
