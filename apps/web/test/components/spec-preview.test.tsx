import { MantineProvider } from "@mantine/core";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { SpecPreview } from "../../src/components/JobForm/SpecPreview.tsx";

type Props = Parameters<typeof SpecPreview>[0];

const estimate = {
  fits: true,
  ranks: 1,
  memoryBytesPerRank: 1e9,
  memoryBytes: 1e9,
  diskBytes: 1e6,
  seconds: 10,
  notes: [],
  stages: [
    { kind: "partition", fate: "REUSED", epoch: null },
    { kind: "train", fate: "ANEW", epoch: null },
  ],
  explanation: [{ of: "memory", what: "process", amount: 2 ** 28 }],
  warnings: ['The column "kind" holds types of edges, which no model reads yet.'],
};

function shown(warnings: readonly string[]): string {
  const spec = { version: 1, kind: "train", dataset: "ds_x", task: { target: "label" } };
  const rest = { spec, isFetching: false, refusal: null, isPlaced: false, epochs: 5, children: null };
  const props = { ...rest, estimate: { ...estimate, warnings: [...warnings] } } as unknown as Props;
  return renderToStaticMarkup(
    <MantineProvider>
      <SpecPreview {...props} />
    </MantineProvider>,
  );
}

it("the form says before the job is started which columns it will leave aside", () => {
  const html = shown(estimate.warnings);
  expect(html).toMatch(/role="alert"/);
  expect(html).toContain("Not all of the data will be used");
  expect(html).toContain("&quot;kind&quot; holds types of edges");
});

it("the estimate says which stages are reused", () => {
  expect(shown([])).toMatch(/aria-label="What is reused".*Reused:<\/b> partition.*Runs:<\/b> train/);
});

it("the estimate says what its figures are made of", () => {
  expect(shown([])).toMatch(/<section aria-label="Memory of a rank">.*process.*256 MiB/);
});

it("nothing is warned of when everything is read", () => {
  expect(shown([])).not.toContain('role="alert"');
});
