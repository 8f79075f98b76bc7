import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readModelInfo } from "../../packages/gnn-core/src/spec/model-info.ts";
import { trainStep } from "../../packages/gnn-core/src/steps/train.step.ts";
import { runStepIn } from "../../packages/gnn-core/test/support/step-runner.ts";
import type { Row, Tables } from "./row.ts";
import { type Run, type RunOptions, timed, trainOf } from "./run-row.ts";
import type { TablesData } from "./tables-data.ts";

/** Trains a row of tables with one seed by the step of a job, which links, types and whole graphs are made for. */
export async function runSteps(
  row: Row,
  tables: Tables,
  seed: number,
  loaded: TablesData,
  run: RunOptions,
): Promise<Run> {
  const inputs = await loaded.inputs(tables, row, seed);
  const scratch = await mkdtemp(join(tmpdir(), "hopwise-accuracy-run-"));
  const options = { ...row.spec, train: trainOf(row, seed, run) };
  const { threads, onEvent } = run;
  try {
    return await timed(row, async () =>
      readModelInfo(
        await runStepIn(scratch, trainStep, { ...inputs }, options, { threads, ...(onEvent && { onEvent }) }),
      ),
    );
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
