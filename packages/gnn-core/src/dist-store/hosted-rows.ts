import { loadAddon } from "../backends/native/addon.ts";
import { nativeSync } from "../backends/native/native-error.ts";
import type { DrawArguments, RowStoreHandle } from "../backends/native/rows-addon.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { CscPart, ListDraw } from "../graph/csc-graph.ts";
import {
  checkRowName,
  newRowArray,
  type RowArray,
  type RowDtype,
  type RowSchema,
  rowDtypes,
} from "../partition/row-schema.ts";
import type { RowSums } from "./row-service.ts";

/** One rank's own rows in native memory order: what every row service has in common. */
export class HostedRows {
  readonly handle: RowStoreHandle;
  readonly #schemas = new Map<string, RowSchema>();

  constructor(rank: number, worldSize: number) {
    this.handle = loadAddon().createRowStore(rank, worldSize);
  }

  host<D extends RowDtype>(name: string, schema: RowSchema<D>, values: RowArray<D> | null): void {
    checkRowName(name);
    const { dtype, dim, offsets, readOnly = false } = schema;
    const code = rowDtypes.indexOf(dtype);
    nativeSync(() => loadAddon().hostRows(this.handle, name, code, dim, Float64Array.from(offsets), readOnly, values));
    this.#schemas.set(name, schema);
  }

  hostLists(name: string, offsets: readonly number[], parts: readonly CscPart[]): void {
    checkRowName(name);
    nativeSync(() => loadAddon().hostLists(this.handle, name, Float64Array.from(offsets), parts));
  }

  /** Room for the rows of `count` ids. @throws GnnError SPEC_INVALID when there are no such rows */
  newRows<D extends RowDtype>(name: string, count: number): RowArray<D> {
    const { dtype, dim } = this.#schemaOf(name);
    return newRowArray(dtype, count * dim) as RowArray<D>;
  }

  /** @throws GnnError SHAPE_MISMATCH unless `rows` are `count` rows of the table's type */
  checkRows(name: string, count: number, rows: RowArray): void {
    const { dtype, dim } = this.#schemaOf(name);
    const isOfType = rows.constructor === newRowArray(dtype, 0).constructor;
    if (isOfType && rows.length === count * dim) return;
    throw new GnnError(
      "SHAPE_MISMATCH",
      `"${name}" was given ${rows.length} values in a ${rows.constructor.name}; expected ${count} rows of ${dim} ${dtype}.`,
    );
  }

  applyWrites(name: string): void {
    nativeSync(() => loadAddon().applyRowWrites(this.handle, name));
  }

  takeSums(name: string): RowSums {
    return nativeSync(() => loadAddon().takeRowSums(this.handle, name));
  }

  #schemaOf(name: string): RowSchema {
    const schema = this.#schemas.get(name);
    if (schema) return schema;
    throw new GnnError("SPEC_INVALID", `There are no rows called "${name}"; host them on every rank first.`);
  }
}

/** @throws GnnError SPEC_INVALID for a fanout that is no int32 */
export function drawArguments(ids: Int32Array, draw: ListDraw): DrawArguments {
  const { fanout, replace, relation = -1, hop, seed, epoch, step } = draw;
  if (!Number.isInteger(fanout) || Math.abs(fanout) >= 2 ** 31) {
    throw new GnnError("SPEC_INVALID", `A fanout of ${fanout} was given; expected a whole number, -1 for all.`);
  }
  return [ids, fanout, replace, relation, hop, seed, epoch, step];
}
