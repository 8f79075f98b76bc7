import { GnnError } from "../errors/gnn-error.ts";
import type { FeatureLayoutOfModel } from "../spec/feature-layout-of-model.ts";
import type { FeatureRows, FeatureStore } from "./feature-store.ts";
import { StoredRows } from "./stored-rows.ts";

/**
 * Features of a graph in the columns of a model: rows are laid out as they are gathered, the store stays as it is.
 * Columns of the model that the graph lacks are 0.
 *
 * @throws GnnError SHAPE_MISMATCH of runs that leave the columns of either side, or reach one of them twice
 */
export function laidOutFeatures(store: FeatureStore, layout: FeatureLayoutOfModel): FeatureStore {
  const columns = columnsOf(layout, store.dim);
  const lay = (rows: FeatureRows): FeatureRows => {
    const laid = rows.kind === "dense" ? layDense(rows, layout) : layCsr(rows, columns, layout.dim);
    if (rows instanceof StoredRows) rows.release();
    return laid;
  };
  return {
    ...(store.mapped && { mapped: store.mapped }),
    numRows: store.numRows,
    dim: layout.dim,
    kind: store.kind,
    gather: (globalIds) => lay(store.gather(globalIds)),
    gatherAsync: async (globalIds) => lay(await store.gatherAsync(globalIds)),
  };
}

/** int32 [dim of the graph]: the column of the model, −1: it does not read it */
function columnsOf({ runs, dim }: FeatureLayoutOfModel, dimOfGraph: number): Int32Array {
  const columns = new Int32Array(dimOfGraph).fill(-1);
  const isTaken = new Uint8Array(dim);
  for (const { from, to, count } of runs) {
    const isInside = from + count <= dimOfGraph && to + count <= dim;
    const isRead = columns.subarray(from, from + count).some((at) => at >= 0);
    if (!isInside || isRead || isTaken.subarray(to, to + count).includes(1)) {
      throw new GnnError(
        "SHAPE_MISMATCH",
        `The columns from ${from} on, ${count} in all, cannot be laid out at ${to}: the graph has ${dimOfGraph} columns and the model ${dim}, each of which is read once.`,
      );
    }
    for (let i = 0; i < count; i++) columns[from + i] = to + i;
    isTaken.fill(1, to, to + count);
  }
  return columns;
}

function layDense(rows: FeatureRows, { runs, dim }: FeatureLayoutOfModel): FeatureRows {
  const { numRows, dim: dimOfGraph, values } = rows;
  const laid = new Float32Array(numRows * dim);
  for (let row = 0; row < numRows; row++) {
    const start = row * dimOfGraph;
    for (const { from, to, count } of runs) {
      laid.set(values.subarray(start + from, start + from + count), row * dim + to);
    }
  }
  return { kind: "dense", numRows, dim, values: laid };
}

function layCsr(
  { numRows, indptr, indices, values }: Extract<FeatureRows, { kind: "csr" }>,
  columns: Int32Array,
  dim: number,
): FeatureRows {
  const laid = {
    indptr: new Int32Array(numRows + 1),
    indices: new Int32Array(indices.length),
    values: new Float32Array(indices.length),
  };
  let end = 0;
  for (let row = 0; row < numRows; row++) {
    for (let i = indptr[row] as number; i < (indptr[row + 1] as number); i++) {
      const column = columns[indices[i] as number] as number;
      if (column < 0) continue;
      laid.indices[end] = column;
      laid.values[end++] = values[i] as number;
    }
    laid.indptr[row + 1] = end;
  }
  return {
    kind: "csr",
    numRows,
    dim,
    indptr: laid.indptr,
    indices: laid.indices.subarray(0, end),
    values: laid.values.subarray(0, end),
  };
}
