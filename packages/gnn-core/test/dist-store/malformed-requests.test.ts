import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { InMemoryRendezvousStore } from "../../src/dist/rendezvous-store.ts";
import type { RowService } from "../../src/dist-store/row-service.ts";
import { connectRowService } from "../../src/dist-store/zeromq-rows.ts";
import { ZmtpPeer } from "./zmtp-peer.ts";

let service: RowService;
let peer: ZmtpPeer;

beforeEach(async () => {
  const store = new InMemoryRendezvousStore();
  service = await connectRowService({ rank: 0, worldSize: 1, store, secret: null });
  service.host("t", { dtype: "float32", dim: 2, offsets: [0, 4] }, Float32Array.of(0, 1, 2, 3, 4, 5, 6, 7));
  const endpoint = new TextDecoder().decode(await store.get("rows_0", new AbortController().signal));
  peer = await ZmtpPeer.connect(Number(endpoint.split(":").at(-1)));
});

afterEach(async () => {
  peer.socket.destroy();
  await service.close();
});

interface Header {
  readonly magic?: number;
  readonly op?: number;
  readonly rank?: number;
  readonly dtype?: number;
  readonly count?: bigint;
  readonly rowBytes?: bigint;
  readonly numRows?: bigint;
  readonly nameBytes?: bigint;
}

/** native/src/rows/row_wire.h */
function header({ magic = 0x33525748, op = 0, rank = 0, dtype = 0, ...sizes }: Header): Buffer {
  const { count = 1n, rowBytes = 8n, numRows = 4n, nameBytes = 1n } = sizes;
  const bytes = Buffer.alloc(64);
  bytes.writeUInt32LE(magic, 0);
  bytes.writeUInt32LE(op, 4);
  bytes.writeBigUInt64LE(1n, 8);
  bytes.writeBigUInt64LE(1n, 16);
  bytes.writeUInt32LE(rank, 24);
  bytes.writeUInt32LE(dtype, 28);
  bytes.writeBigUInt64LE(count, 32);
  bytes.writeBigUInt64LE(rowBytes, 40);
  bytes.writeBigUInt64LE(numRows, 48);
  bytes.writeBigUInt64LE(nameBytes, 56);
  return bytes;
}

const ids = (...values: number[]) => new Uint8Array(Int32Array.from(values).buffer);
const name = Buffer.from("t");
const ask = (head: Header, parts: readonly Uint8Array[]) => peer.send([Buffer.concat([header(head), ...parts])]);

test("a well-formed request of such a peer is performed, so the others are refused for what is wrong with them", async () => {
  ask({ op: 1 }, [name, ids(3), new Uint8Array(8)]);
  ask({ magic: 1 }, [name, ids(3)]);
  expect(await peer.receives("not of this version")).toBe(true);
  service.applyWrites("t");
  expect([...(await service.get<"float32">("t", Int32Array.of(3)))]).toEqual([0, 0]);
});

test.each<[string, Header, readonly Uint8Array[], string]>([
  ["another version", { magic: 7 }, [name, ids(3)], "not of this version"],
  ["an unknown operation", { op: 9 }, [name, ids(3)], "not of this version"],
  ["a name that is cut off", { nameBytes: 2n }, [name], "ends in the table's name"],
  ["a name of no end", { nameBytes: 2n ** 63n }, [name, ids(3)], "name is too long"],
  ["a rank that is none", { rank: 70_000 }, [name, ids(3)], "no such rank"],
  ["a long name", { nameBytes: 300n }, [Buffer.alloc(300, 65), ids(3)], "name is too long"],
  ["unknown rows", {}, [Buffer.from("u"), ids(3)], "no rows called"],
  ["another width", { rowBytes: 12n }, [name, ids(3)], "of another type"],
  ["another type", { dtype: 1 }, [name, ids(3)], "of another type"],
  ["another count of rows", { numRows: 5n }, [name, ids(3)], "of another type"],
  ["more ids than there are", { count: 1000n }, [name, ids(3)], "another length"],
  ["a count that overflows", { count: 2n ** 61n }, [name, ids(3)], "another length"],
  ["half an id", {}, [name, new Uint8Array(3)], "another length"],
  ["rows with a read", {}, [name, ids(3), new Uint8Array(8)], "another length"],
  ["a write of half a row", { op: 1 }, [name, ids(3), new Uint8Array(4)], "another length"],
  ["a row of another rank", {}, [name, ids(4)], "not owned by rank 0"],
  ["a negative row", { op: 2 }, [name, ids(-1), new Uint8Array(8)], "not owned by rank 0"],
])("%s is refused with the reason, and the service goes on", async (_what, head, parts, reason) => {
  ask(head, parts);
  expect(await peer.receives(reason)).toBe(true);
  service.applyWrites("t");
  expect([...(await service.get<"float32">("t", Int32Array.of(3, 0)))]).toEqual([6, 7, 0, 1]);
});

test("more entries of a list than can be sent are refused before room is made for them", async () => {
  const part = {
    firstNode: 0,
    numNodes: 4,
    indptr: BigInt64Array.of(0n, 1n, 1n, 1n, 1n),
    indices: Int32Array.of(2),
    weights: null,
  };
  service.hostLists("t", [0, 4], [part]);
  const draw = Buffer.alloc(24);
  draw.writeInt32LE(2 ** 31 - 1, 0); // fanout: 17 GB of positions
  draw.writeUInt32LE(1, 4); // with replacement
  draw.writeBigInt64LE(-1n, 16); // from whole lists
  ask({ op: 3, rowBytes: 4n }, [name, ids(0), draw]);
  expect(await peer.receives("would give 2147483647 entries")).toBe(true);
  for (const [relation, reason] of [
    [1n, "have no relations to draw from"],
    [2n ** 40n, "Relations are numbered below"],
  ] as const) {
    draw.writeBigInt64LE(relation, 16);
    ask({ op: 3, rowBytes: 4n }, [name, ids(0), draw]);
    expect(await peer.receives(reason)).toBe(true);
  }
});

test("less than a request, and requests in several parts, are nothing to perform", async () => {
  peer.send([header({ op: 1 }), name, ids(3), new Uint8Array(8)]);
  peer.send([header({ op: 1 }).subarray(0, 63)]);
  expect(await peer.receives("not of this version")).toBe(true);
  service.applyWrites("t");
  expect([...(await service.get<"float32">("t", Int32Array.of(3)))]).toEqual([6, 7]);
});

test("noise and messages beyond the limit end the connection, not the service", async () => {
  peer.socket.write(randomBytes(4096));
  expect(await peer.receives("never sent")).toBe(false);
  expect([...(await service.get<"float32">("t", Int32Array.of(3)))]).toEqual([6, 7]);
});
