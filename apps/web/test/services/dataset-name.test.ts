import { expect, test } from "vitest";
import { nameOfFiles } from "../../src/services/dataset-name.ts";

test.each([
  [
    "a single file gives its name without endings",
    [{ name: "team.edges.csv.gz", path: "./team.edges.csv.gz" }],
    "team",
  ],
  ["a file whose name begins with a dot keeps it", [{ name: ".edges" }], ".edges"],
  [
    "a folder gives its name",
    [
      { name: "nodes.csv", path: "/friends/2026/nodes.csv" },
      { name: "edges.csv", path: "/friends/edges.csv" },
    ],
    "friends",
  ],
  ["several files have no name in common", [{ name: "nodes.csv", path: "./nodes.csv" }, { name: "edges.csv" }], ""],
  ["nothing has no name", [], ""],
])("%s", (_title, files, expected) => {
  expect(nameOfFiles(files)).toBe(expected);
});
