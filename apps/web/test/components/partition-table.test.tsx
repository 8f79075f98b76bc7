// @vitest-environment happy-dom
import { MantineProvider } from "@mantine/core";
import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { PartitionTable } from "../../src/components/PartitionTable/PartitionTable.tsx";
import type { JobSnapshot } from "../../src/services/job-state.ts";

afterEach(cleanup);

type Report = NonNullable<JobSnapshot["partition"]>;

const report: Report = {
  numParts: 2,
  edgeCut: 0.125,
  communicationVolume: 1234,
  haloRatio: 0.45,
  expectedRemoteReads: 2.5,
  remoteReadsPerStep: 817.4,
  imbalance: { nodes: 1.02, edges: 1.04, train: 1, val: 1.01, test: 1.03 },
  types: null,
  parts: [
    { part: 0, nodes: 1020, edges: 5000, trainNodes: 100, valNodes: 51, testNodes: 52, haloNodes: 510, haloRatio: 0.5 },
    { part: 1, nodes: 980, edges: 4600, trainNodes: 100, valNodes: 50, testNodes: 49, haloNodes: 392, haloRatio: 0.4 },
  ],
};

const show = (shown: Report) =>
  render(
    <MantineProvider env="test">
      <PartitionTable report={shown} />
    </MantineProvider>,
  );

test("each part has a row with its shares and its halo", () => {
  show(report);
  const rows = screen.getAllByRole("row").map((row) =>
    within(row)
      .queryAllByRole("cell")
      .map((cell) => cell.textContent),
  );
  expect(rows.slice(1)).toEqual([
    ["0", "1,020", "5,000", "100", "51", "52", "510", "0.5"],
    ["1", "980", "4,600", "100", "50", "49", "392", "0.4"],
  ]);
});

test("the figures of the whole cut stand above, with what a step is expected to read", () => {
  const { container } = show(report);
  for (const text of ["12.5 %", "1,234", "0.45", "2.5", "Remote reads per step", "817", "× 1.04", "× 1.03"]) {
    expect(container.textContent).toContain(text);
  }
});

test("types of nodes have a row each, with the shares of the parts and how even they are", () => {
  const papers = { type: "paper", nodes: [1000, 900], edges: [4000, 600], haloNodes: [17, 0] };
  show({ ...report, types: [papers] });
  const table = screen.getByRole("table", { name: "Types of nodes" });
  const cells = within(table).getAllByRole("cell");
  const shown = ["paper", "1,000 · 900", "× 1.05", "4,000 · 600", "× 1.74", "17 · 0"];
  expect(cells.map(({ textContent }) => textContent)).toEqual(shown);
});

test("a graph whose nodes are alike has no table of types", () => {
  show(report);
  expect(screen.queryByRole("table", { name: "Types of nodes" })).toBeNull();
});

test("what was not measured is left out", () => {
  const { val, test: unused, ...imbalance } = report.imbalance;
  const { container } = show({
    ...report,
    remoteReadsPerStep: null,
    imbalance: { ...imbalance, val: null, test: null },
    parts: report.parts.map((part) => ({ ...part, valNodes: null, testNodes: null })),
  });
  expect([val, unused]).toEqual([1.01, 1.03]);
  for (const text of ["per step", "validation nodes", "test nodes"]) expect(container.textContent).not.toContain(text);
});
