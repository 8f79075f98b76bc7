import { join } from "node:path";
import { expect } from "vitest";
import type { ArtifactDir } from "../../../src/io/manifest.ts";
import { readNpy } from "../../../src/io/npy.ts";
import type { NewNode } from "../../../src/serving/new-nodes/new-node.ts";
import { NodeLookup } from "../../../src/serving/node-lookup.ts";
import { ServedModel } from "../../../src/serving/served-model.ts";
import { loadRegistry } from "../../../src/spec/index.ts";
import { readModelInfo } from "../../../src/spec/model-info.ts";
import { inferStep } from "../../../src/steps/infer.step.ts";
import { ingestStep } from "../../../src/steps/ingest.step.ts";
import { matchRowsStep } from "../../../src/steps/match-rows.step.ts";
import { partitionStep } from "../../../src/steps/partition.step.ts";
import { remapStep } from "../../../src/steps/remap.step.ts";
import { filesArtifact, runStep } from "../../support/run-step.ts";
import { limits, trained } from "./grown-graphs.ts";

/** A dataset in two states, and the nodes that the second one has more, as a request gives them */
export interface Growth {
  readonly spec: object;
  /** Files by name, without and with what is new */
  readonly before: Readonly<Record<string, string>>;
  readonly after: Readonly<Record<string, string>>;
  readonly given: readonly NewNode[];
  /** Ids of these in the second state */
  readonly ids: readonly string[];
}

export interface Cut {
  readonly graph: ArtifactDir;
  readonly parts: ArtifactDir;
}

export async function ingestedFrom(texts: Readonly<Record<string, string>>, spec: object): Promise<Cut> {
  const graph = await runStep(ingestStep, { files: await filesArtifact({ ...texts }) }, spec);
  const cut = { partition: { type: "random", options: { numParts: 2 } } };
  return { graph, parts: await runStep(partitionStep, { graph }, cut) };
}

const made = new Map<string, Promise<Cut>>();

function ingested({ spec, ...states }: Growth, state: "before" | "after"): Promise<Cut> {
  const key = JSON.stringify([spec, states[state]]);
  const found = made.get(key) ?? ingestedFrom(states[state], spec);
  made.set(key, found);
  return found;
}

/** The model beside the graph that it was trained on */
export async function servedOn({ graph, parts }: Cut, model: ArtifactDir) {
  const lookup = await NodeLookup.open(graph);
  const sources = { graph, model, parts: async () => parts, registry: await loadRegistry([]), threads: 1 };
  const open = await ServedModel.open(sources);
  const rowOf = (id: string) => lookup.rowOf(id);
  return { open, rowOf, infer: (nodes: readonly NewNode[], most = limits) => open.infer(nodes, rowOf, most) };
}

/** What a model that learnt the first state gives the new nodes, against what a job gives them in the second */
export async function expectAsReingested(growth: Growth, options: object): Promise<void> {
  const cut = await ingested(growth, "before");
  const artifact = await trained(cut, { task: { target: "label" }, sampling: { type: "full" }, ...options });
  const { open, infer } = await servedOn(cut, artifact);
  const found = await infer(growth.given);
  const { graph, parts } = await ingested(growth, "after");
  const model = artifact;
  const hasRows = readModelInfo(model).learnedRows !== null;
  const matchedRows = hasRows ? await runStep(matchRowsStep, { graph, parts, model }, {}) : null;
  const inferred = await runStep(inferStep, { parts, model, ...(matchedRows && { matchedRows }) }, {});
  const remapped = await runStep(remapStep, { graph, parts, inferred }, {});
  const lookup = await NodeLookup.open(graph);
  for (const [name, rows] of [
    ["embeddings.npy", found.embeddings],
    ["logits.npy", found.outputs],
  ] as const) {
    const { shape, values } = await readNpy(join(remapped.dir, name), "float32");
    const dim = shape[1] as number;
    expect(rows.length).toBe(growth.ids.length * dim);
    for (const [at, id] of growth.ids.entries()) {
      const row = lookup.rowOf(id);
      expect(row, id).toBeGreaterThanOrEqual(0);
      const expected = values.subarray(row * dim, (row + 1) * dim);
      for (let d = 0; d < dim; d++) {
        const [ours, theirs] = [rows[at * dim + d] as number, expected[d] as number];
        expect(Math.abs(ours - theirs), `${name} of ${id}, column ${d}: ${ours} and ${theirs}`).toBeLessThan(1e-5);
      }
    }
  }
  open.retire();
}

export function table(head: string, rows: readonly (readonly (string | number)[])[]): string {
  return `${head}\n${rows.map((row) => row.join(",")).join("\n")}\n`;
}
