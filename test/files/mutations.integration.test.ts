import { expect, it } from "vitest";
import type { PreviewInfo } from "../../packages/gnn-core/src/io/preview/preview-info.ts";
import { loadRegistry } from "../../packages/gnn-core/src/spec/index.ts";
import { ingestStep } from "../../packages/gnn-core/src/steps/ingest.step.ts";
import { mapStep } from "../../packages/gnn-core/src/steps/map.step.ts";
import { filesArtifact, runStep } from "../../packages/gnn-core/test/support/run-step.ts";
import { makeOwnSamples } from "../fuzz/files/samples.ts";
import { runFuzz } from "../fuzz/run-fuzz.ts";

it("there is a sample for every reader, and each is read as it is proposed", async () => {
  const readers = new Set<string | null>();
  for (const { files } of await makeOwnSamples()) {
    const uploaded = await filesArtifact(files);
    const { manifest } = await runStep(mapStep, { files: uploaded }, mapStep.options.parse({}));
    const { files: read, proposed } = manifest.info as PreviewInfo;
    for (const { reader } of read) readers.add(reader);
    await runStep(ingestStep, { files: uploaded }, proposed);
  }
  const all = (await loadRegistry()).list("reader").map(({ name }) => name);
  expect([...readers]).toEqual(expect.arrayContaining([...all, "npy", "npz"]));
});

// 10,000 of them: script/fuzz --only formats --cases 10000
it("some mutations of valid files are read, or refused by an error that names the file", async () => {
  const { faults, cases } = await runFuzz({ seed: 1, cases: 25, only: ["formats"], at: null });
  expect(faults).toEqual([]);
  expect(cases).toBe(25);
});
