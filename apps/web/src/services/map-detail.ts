import { api } from "./api.ts";
import type { MapArtifact } from "./embedding-map.ts";
import { parseNpy } from "./npy.ts";

/** Another layout of some of a map's points. */
export interface DetailedLayout {
  /** Points of the map, ascending; int32 [numDetailed] */
  readonly points: Int32Array;
  /** x, y of each; float32 [numDetailed, 2] */
  readonly xy: Float32Array;
}

export interface NearPoint {
  readonly point: number;
  /** Cosine of the angle between the embeddings; null for neighbours in the graph */
  readonly similarity: number | null;
}

/** What a map knows of its points beyond place, id and class. */
export interface MapDetail {
  readonly degrees: Int32Array;
  /** In-neighbours that are on the map, ten at most */
  readonly neighborsOf: (point: number) => readonly NearPoint[];
  /** The points with the nearest embeddings; null for a point of which they were not looked for */
  readonly nearestOf: (point: number) => readonly NearPoint[] | null;
  readonly umap: DetailedLayout | null;
}

/** @returns null for a map that was made before maps knew this */
export async function readMapDetail({ id, blobs }: MapArtifact): Promise<MapDetail | null> {
  const has = (name: string) => blobs.some((blob) => blob.name === name);
  if (!has("neighbors/points.npy")) return null;
  const read = (blob: string) => api.bytes("GET /v1/artifacts/:id", { params: { id }, query: { blob } });
  const integers = async (blob: string) => parseNpy(await read(blob), "<i4");
  const [degrees, offsets, neighbors, detailed, nearest, similarities, xy] = await Promise.all([
    integers("degrees.npy"),
    integers("neighbors/offsets.npy"),
    integers("neighbors/points.npy"),
    integers("detailed.npy"),
    integers("nearest/points.npy"),
    read("nearest/similarities.npy").then((file) => parseNpy(file, "<f4")),
    has("umap.npy") ? read("umap.npy").then((file) => parseNpy(file, "<f4")) : null,
  ]);
  const rowOf = new Map(Array.from(detailed, (point, row) => [point, row]));
  const width = detailed.length > 0 ? nearest.length / detailed.length : 0;
  return {
    degrees,
    neighborsOf: (point) =>
      Array.from(neighbors.subarray(offsets[point], offsets[point + 1]), (near) => ({ point: near, similarity: null })),
    nearestOf: (point) => {
      const row = rowOf.get(point);
      if (row === undefined) return null;
      const from = row * width;
      return Array.from(nearest.subarray(from, from + width), (near, i) => ({
        point: near,
        similarity: similarities[from + i] ?? 0,
      }));
    },
    umap: xy && { points: detailed, xy },
  };
}

/** The values of one column, an entry for each point. */
export async function readMapColumn(
  { id }: Pick<MapArtifact, "id">,
  { blob, type }: { readonly blob: string; readonly type: string },
): Promise<Int32Array | Float32Array> {
  const file = await api.bytes("GET /v1/artifacts/:id", { params: { id }, query: { blob } });
  return type === "category" ? parseNpy(file, "<i4") : parseNpy(file, "<f4");
}
