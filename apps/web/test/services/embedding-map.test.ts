import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readEmbeddingMap } from "../../src/services/embedding-map.ts";
import { readMapDetail, readMapNeighbors } from "../../src/services/map-detail.ts";

const url = "/v1/artifacts/art_map";
let files: Record<string, Uint8Array>;

/** A `.npy` file written by hand, as the format has it. */
function npy(descr: string, shape: string, data: Float32Array | Int32Array | Uint8Array): Uint8Array {
  const header = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${shape}), }`.padEnd(117) + "\n";
  const size = Buffer.from(Uint16Array.of(header.length).buffer);
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  return Buffer.concat([Buffer.from("\x93NUMPY\x01\x00", "latin1"), size, Buffer.from(header), bytes]);
}

function artifact() {
  return { id: "art_map", blobs: Object.keys(files).map((name) => ({ name })) };
}

beforeEach(() => {
  vi.stubGlobal("fetch", async (path: string) => {
    const asked = new URL(path, "http://here");
    const found = files[asked.searchParams.get("blob") ?? ""];
    const problem = { code: "ARTIFACT_DAMAGED", title: "A stored file is damaged", detail: "Train again." };
    return found && asked.pathname === url
      ? new Response(new Uint8Array(found))
      : new Response(JSON.stringify(problem), { status: 409 });
  });
});
afterEach(() => vi.unstubAllGlobals());

describe("readMapDetail", () => {
  it("has degrees, neighbours in the graph and by embedding, and the layout by UMAP", async () => {
    files = {
      "degrees.npy": npy("<i4", "3,", Int32Array.from([5, 0, 2])),
      "neighbors/offsets.npy": npy("<i4", "4,", Int32Array.from([0, 2, 2, 3])),
      "neighbors/points.npy": npy("<i4", "3,", Int32Array.from([1, 2, 0])),
      "detailed.npy": npy("<i4", "2,", Int32Array.from([0, 2])),
      "nearest/points.npy": npy("<i4", "2, 1", Int32Array.from([2, 0])),
      "nearest/similarities.npy": npy("<f4", "2, 1", Float32Array.from([0.5, 0.5])),
      "umap.npy": npy("<f4", "2, 2", Float32Array.from([1, 2, 3, 4])),
    };
    const detail = await readMapDetail(artifact());
    expect([...(detail?.degrees ?? [])]).toEqual([5, 0, 2]);
    const neighborsOf = await readMapNeighbors(artifact());
    expect([0, 1, 2].map((point) => neighborsOf(point).map((near) => near.point))).toEqual([[1, 2], [], [0]]);
    expect([0, 1, 2].map((point) => detail?.nearestOf(point))).toEqual([
      [{ point: 2, similarity: 0.5 }],
      null,
      [{ point: 0, similarity: 0.5 }],
    ]);
    expect(detail?.umap).toEqual({ points: Int32Array.from([0, 2]), xy: Float32Array.from([1, 2, 3, 4]) });
  });

  it("is nothing for a map that was made before maps knew this", async () => {
    files = { "projection.npy": npy("<f4", "1, 2", Float32Array.from([1, 2])) };
    expect(await readMapDetail(artifact())).toBeNull();
  });
});

const ids = ["007", "Doe, Jane", "🦉"];
const bytes = Buffer.from(ids.join(""));

describe("readEmbeddingMap", () => {
  it("has the place, the label and the user's own id of every point", async () => {
    files = {
      "projection.npy": npy("<f4", "3, 2", Float32Array.from([1, 2, 3, 4, 5, 6])),
      "labels.npy": npy("<i4", "3,", Int32Array.from([1, -1, 0])),
      "ids/offsets.npy": npy("<i4", "4,", Int32Array.from([0, 3, 12, 16])),
      "ids/bytes.npy": npy("|u1", "16,", bytes),
    };
    const { points, labels, hasIds, titleOf, find } = await readEmbeddingMap(artifact());
    expect([[...points.x], [...points.y], [...points.groups]]).toEqual([
      [1, 3, 5],
      [2, 4, 6],
      [1, -1, 0],
    ]);
    expect([...labels]).toEqual([1, -1, 0]);
    expect([hasIds, ids.map((_, i) => titleOf(i))]).toEqual([true, ids]);
    expect([...ids, "7", "0077", ""].map(find)).toEqual([0, 1, 2, null, null, null]);
  });

  it("shows rows, and says that they are rows, of a map that was made before maps kept ids", async () => {
    files = {
      "projection.npy": npy("<f4", "2, 2", Float32Array.from([1, 2, 3, 4])),
      "rows.npy": npy("<i4", "2,", Int32Array.from([0, 70])),
    };
    const { points, hasIds, titleOf } = await readEmbeddingMap(artifact());
    expect([[...points.x], [...points.groups], hasIds, titleOf(1)]).toEqual([[1, 3], [-1, -1], false, "row 70"]);
  });

  it("passes on what the API says of a file that it does not give", async () => {
    files = { "ids/offsets.npy": npy("<i4", "1,", Int32Array.from([0])) };
    await expect(readEmbeddingMap(artifact())).rejects.toMatchObject({ problem: { code: "ARTIFACT_DAMAGED" } });
  });
});
