import type { TableShape } from "@hopwise/gnn-core/spec";
import { expect } from "vitest";
import { readyDataset } from "../../support/fixtures.ts";
import type { TestApp } from "../../support/start-app.ts";

/** A file for PostgreSQL's COPY as an export has it. */
export interface ExportedFile {
  readonly text: string;
  readonly shape: Omit<TableShape, "file" | "numRows"> & { readonly numRows?: number };
}

type Column = TableShape["columns"][number];

export function column(name: string, type: Column["type"], dim: number | null = null): Column {
  return { name, type, dim };
}

/** A job that has succeeded, and whose results have been exported as these files, or not at all. */
export async function exportedJob(app: TestApp, files: Readonly<Record<string, ExportedFile>>): Promise<string> {
  const { store, prisma } = app.services;
  const dataset = await readyDataset(app);
  const submitted = await app.admin
    .post("/v1/jobs")
    .send({ version: 1, kind: "train", dataset, task: { target: "label" } });
  expect(submitted.status).toBe(202);
  const job: string = submitted.body.id;
  const owner = { projectId: "default", createdBy: "admin", jobId: job };
  const keep = async (kind: string, step: string, blobs: Readonly<Record<string, string>>, info: object) => {
    const prefix = `made/${job}/${kind}`;
    const rows = [];
    for (const [name, text] of Object.entries(blobs))
      rows.push({ name, ...(await store.put(`${prefix}/${name}`, Buffer.from(text))) });
    const id = `art_${kind}_${job}`;
    await prisma.artifact.create({
      data: { id, ...owner, kind, prefix, digest: id, bytes: 1n, info, blobs: rows },
    });
    await prisma.stage.updateMany({ where: { jobId: job, kind: step }, data: { outputId: id, state: "SUCCEEDED" } });
  };
  await keep("remapped", "remap", {}, { numNodes: 4, dim: 2, classes: ["a", "b"], metrics: {} });
  if (Object.keys(files).length > 0) {
    const texts = Object.fromEntries(Object.entries(files).map(([name, { text }]) => [name, text]));
    const tables = Object.entries(files).map(([file, { text, shape }]) => ({
      file,
      numRows: text.split("\n").length - 1,
      ...shape,
    }));
    const info = { numNodes: 4, dim: 2, embeddings: ["pgcopy"], predictions: ["pgcopy"], tables };
    await keep("exports", "export", texts, info);
  }
  await prisma.job.update({ where: { id: job }, data: { state: "SUCCEEDED", finishedAt: new Date() } });
  return job;
}
