// @vitest-environment happy-dom
import type { Drift } from "@hopwise/client";
import { MantineProvider } from "@mantine/core";
import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { DriftTable } from "../../src/components/DatasetProfile/DriftTable.tsx";
import type { GraphProfile } from "../../src/components/DatasetProfile/graph-profile.ts";
import { Leaks } from "../../src/components/DatasetProfile/Leaks.tsx";

afterEach(cleanup);

const clean: GraphProfile = {
  columns: [],
  columnsLeftOut: 0,
  degrees: { min: 0, median: 2, max: 9 },
  components: { count: 1, largest: 1 },
  sample: { nodes: { columns: [], rows: [] }, edges: { columns: [], rows: [] } },
  tellClass: [],
};

const showLeaks = (profile: Partial<GraphProfile>) =>
  render(
    <MantineProvider env="test">
      <Leaks profile={{ ...clean, ...profile }} />
    </MantineProvider>,
  );

test("nothing is said of a graph without leaks, or of one that an earlier version ingested", () => {
  showLeaks({});
  showLeaks({ tellSplit: [], repeatedFeatures: { heldOut: 100, repeated: 0 } });
  expect(screen.queryByRole("alert")).toBeNull();
});

test("columns that tell the split and held-out nodes seen in training are named, with what to do", () => {
  showLeaks({ tellSplit: ["year"], repeatedFeatures: { heldOut: 400, repeated: 30 } });
  const [split, repeated] = screen.getAllByRole("alert").map((alert) => alert.textContent);
  expect(split).toContain("Each value of year goes with one side only");
  expect(split).toContain("Map the files again without it");
  expect(repeated).toContain("30 of 400 nodes of val and test (7.5 %)");
});

const showDrift = (drifts: readonly Drift[]) =>
  render(
    <MantineProvider env="test">
      <DriftTable drifts={drifts} before={1} after={3} />
    </MantineProvider>,
  );

test("what has moved stands with its distance and both versions' figures; chance is left out", () => {
  showDrift([
    { what: "nodes.age", kind: "values", distance: 0.4219, before: 31.5, after: 44 },
    { what: "nodes.age", kind: "missing", distance: 0.25, before: 0, after: 0.25 },
    { what: "labels", kind: "labels", distance: 0.1, before: null, after: null },
    { what: "degrees", kind: "degrees", distance: 0.004, before: 2, after: 2 },
  ]);
  const cells = screen
    .getAllByRole("row")
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole("cell")
        .map(({ textContent }) => textContent),
    );
  expect(cells).toEqual([
    ["Values (means)", "0.42", "31.5", "44"],
    ["Missing cells", "0.25", "0.0 %", "25.0 %"],
    ["Shares of classes", "0.10", "–", "–"],
  ]);
  expect(screen.getByText(/trained on version 1 does on version 3/)).toBeTruthy();
});

test("a sentence says that nothing has moved", () => {
  showDrift([{ what: "degrees", kind: "degrees", distance: 0.004, before: 2, after: 2 }]);
  expect(screen.getByText("No distribution has moved.")).toBeTruthy();
});
