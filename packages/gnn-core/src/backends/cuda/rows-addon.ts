import type { FloatsHandle, IntsHandle } from "./memory-addon.ts";

/**
 * Updates of some rows [numRows, dim] that stay on the device (native/binding/device/rows_binding.cc), each id once.
 * The gradient [ids, dim] is divided by the second of the step's sums [4], the weight of its seeds; where `scale` [3]
 * says that the step is not finite, nothing is updated.
 */
export interface RowsAddon {
  updateAdagradRows(
    numRows: number,
    dim: number,
    ids: IntsHandle,
    gradient: FloatsHandle,
    sums: FloatsHandle,
    scale: FloatsHandle,
    parameter: FloatsHandle,
    squares: FloatsHandle,
    lr: number,
    epsilon: number,
  ): void;
  /** @param steps int32 [numRows] by their bits: how often each row was updated */
  updateAdamRows(
    numRows: number,
    dim: number,
    ids: IntsHandle,
    gradient: FloatsHandle,
    sums: FloatsHandle,
    scale: FloatsHandle,
    parameter: FloatsHandle,
    momentum: FloatsHandle,
    variance: FloatsHandle,
    steps: FloatsHandle,
    lr: number,
    beta1: number,
    beta2: number,
    epsilon: number,
  ): void;
}
