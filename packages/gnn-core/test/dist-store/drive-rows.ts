import type { RowService } from "../../src/dist-store/row-service.ts";
import type { CscPart } from "../../src/graph/csc-graph.ts";
import type { RowDtype, RowSchema } from "../../src/partition/row-schema.ts";
import { type DrivenLists, type DrivenRows, toRows } from "../conformance/row-service.suite.ts";

/** A service of this process, driven with plain numbers as the conformance suite does. */
export function driveRows(service: RowService): DrivenRows {
  const dtypes = new Map<string, RowDtype>();
  const dtypeOf = (name: string) => dtypes.get(name) ?? "float32";
  return {
    host: async (name: string, schema: RowSchema, values) => {
      service.host(name, schema, values && toRows(schema.dtype, values));
      dtypes.set(name, schema.dtype);
    },
    get: async (name, ids, timeoutMs) => {
      const options = timeoutMs === undefined ? {} : { timeoutMs };
      const rows = await service.get(name, Int32Array.from(ids), options);
      return rows instanceof BigInt64Array ? Array.from(rows, Number) : Array.from(rows);
    },
    set: (name, ids, rows) => service.set(name, Int32Array.from(ids), toRows(dtypeOf(name), rows)),
    add: (name, ids, rows) => service.add(name, Int32Array.from(ids), toRows(dtypeOf(name), rows)),
    applyWrites: async (name) => service.applyWrites(name),
    takeSums: async (name) => {
      const { ids, rows } = service.takeSums(name);
      return { ids: [...ids], rows: [...rows] };
    },
    hostLists: async (name, offsets, lists) => service.hostLists(name, offsets, lists.map(toPart)),
    draw: async (name, ids, draw) => {
      const { indptr, entries, values } = await service.draw(name, Int32Array.from(ids), draw);
      return [...ids.keys()].map((i) => {
        const begin = indptr[i] as number;
        const end = indptr[i + 1] as number;
        return { entries: [...entries.subarray(begin, end)], values: values && [...values.subarray(begin, end)] };
      });
    },
    counters: async () => service.counters(),
    close: () => service.close(),
  };
}

function toPart({ firstNode, lists, weighted }: DrivenLists): CscPart {
  let end = 0n;
  const ends = lists.map(({ length }) => (end += BigInt(length)));
  const indices = Int32Array.from(lists.flat());
  return {
    firstNode,
    numNodes: lists.length,
    indptr: BigInt64Array.from([0n, ...ends]),
    indices,
    weights: weighted ? Float32Array.from(indices, (entry) => entry / 2) : null,
  };
}
