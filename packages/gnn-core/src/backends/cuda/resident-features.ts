import type { StoredRows } from "../../features/stored-rows.ts";
import { matrixOf } from "../feature-matrix.ts";
import type { CudaBackend } from "./cuda-backend.ts";
import type { DeviceFeaturesHandle, FloatsHandle } from "./memory-addon.ts";

/** Feature matrices that were copied to the device, whole, when rows of them were first asked for. */
export interface ResidentFeatures {
  /** float32 [numRows, dim], valid as long as what the backend uploads for the call or the step */
  rowsOf(backend: CudaBackend, rows: StoredRows): FloatsHandle;
}

export function residentFeatures(): ResidentFeatures {
  const known = new WeakMap<object, DeviceFeaturesHandle>();
  return {
    rowsOf(backend, rows) {
      const { addon, uploads } = backend;
      const matrix = rows.isGathered ? null : matrixOf(rows.features);
      // Rows that were fetched for this batch alone are uploaded with it.
      if (!matrix) return uploads.floats(rows.values);
      const { numRows, dim, segments } = matrix;
      const features = known.get(rows.features) ?? addon.makeFeatures(numRows, dim, segments, null, null);
      known.set(rows.features, features);
      return uploads.once(rows, () => gathered(backend, features, rows));
    },
  };
}

function gathered({ addon, uploads }: CudaBackend, features: DeviceFeaturesHandle, rows: StoredRows): FloatsHandle {
  const { numRows, dim, ids, dropout } = rows;
  const rowIds = uploads.ints(ids);
  const out = addon.makeFloats(numRows * dim);
  addon.gatherFeatures(features, rowIds, out);
  if (dropout) addon.dropoutRows(numRows, dim, out, rowIds, dropout.key, dropout.threshold, out);
  return out;
}
