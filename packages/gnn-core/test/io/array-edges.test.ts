import fc from "fast-check";
import { expect, test } from "vitest";
import type { ArchiveMember } from "../../src/io/archives/archive.ts";
import { NpyMember } from "../../src/io/bundles/npy-member.ts";
import { edgesOf } from "../../src/io/bundles/numpy-edges.ts";
import { RecordedArrays } from "../../src/io/bundles/recorded-arrays.ts";
import { formatNpyHeader } from "../../src/io/npy-header.ts";

/** An array whose bytes come in pieces of a length that fits nothing. */
function memberOf(values: readonly number[], shape: readonly number[], pieceBytes: number): ArchiveMember {
  const bytes = Buffer.concat([formatNpyHeader("float32", shape), Buffer.from(Float32Array.from(values).buffer)]);
  async function* read() {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  }
  return { name: "array.npy", bytes: bytes.length, read, unpack: async () => {} };
}

const edge = fc.record({ src: fc.nat(50), dst: fc.nat(50), weight: fc.integer({ min: -99, max: 99 }) });
const layouts = ["rows", "columns", "ends"] as const;

test("each edge has its own weight, however pairs lie and whatever pieces the arrays come in", async () => {
  const given = fc.tuple(fc.array(edge, { minLength: 3, maxLength: 40 }), fc.constantFrom(...layouts), fc.nat(40));
  await fc.assert(
    fc.asyncProperty(given, async ([edges, layout, more]) => {
      const [src, dst] = [edges.map((one) => one.src), edges.map((one) => one.dst)];
      const members = new Map([
        [
          "edge_weight",
          memberOf(
            edges.map(({ weight }) => weight),
            [edges.length],
            5 + more,
          ),
        ],
      ]);
      if (layout === "rows") members.set("edge_index", memberOf([...src, ...dst], [2, edges.length], 7 + more));
      if (layout === "columns")
        members.set(
          "edges",
          memberOf(
            edges.flatMap((e) => [e.src, e.dst]),
            [edges.length, 2],
            7,
          ),
        );
      if (layout === "ends")
        members.set("src", memberOf(src, [edges.length], 9)).set("dst", memberOf(dst, [edges.length], 6));
      const arrays = new RecordedArrays({
        names: [...members.keys()],
        open: (name) => NpyMember.open(members.get(name)!, "graph.npz"),
        memberOf: (name) => members.get(name)!,
        close: () => {},
      });
      const found: object[] = [];
      for await (const piece of (await edgesOf(arrays)).pieces(edges.length)) {
        for (let i = 0; i < piece.src.length; i++)
          found.push({ src: piece.src[i], dst: piece.dst[i], weight: piece.weight?.[i] });
      }
      expect(found).toEqual(edges);
      expect(arrays.note()).toBeNull();
    }),
  );
});
