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
  const [degrees, detailed, nearest, similarities, xy] = await Promise.all([
    integers("degrees.npy"),
    integers("detailed.npy"),
    integers("nearest/points.npy"),
    read("nearest/similarities.npy").then((file) => parseNpy(file, "<f4")),
    has("umap.npy") ? read("umap.npy").then((file) => parseNpy(file, "<f4")) : null,
  ]);
  const rowOf = new Map(Array.from(detailed, (point, row) => [point, row]));
  const width = detailed.length > 0 ? nearest.length / detailed.length : 0;
  return {
    degrees,
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

/** In-neighbours of a point that are on the map, ten at most */
export type NeighborsOf = (point: number) => readonly NearPoint[];

/** Fetched when a node is looked at: for millions of points they take more room than all else of a map. */
export async function readMapNeighbors({ id }: Pick<MapArtifact, "id">): Promise<NeighborsOf> {
  const read = async (blob: string) =>
    parseNpy(await api.bytes("GET /v1/artifacts/:id", { params: { id }, query: { blob } }), "<i4");
  const [offsets, points] = await Promise.all([read("neighbors/offsets.npy"), read("neighbors/points.npy")]);
  return (point) =>
    Array.from(points.subarray(offsets[point], offsets[point + 1]), (near) => ({ point: near, similarity: null }));
}

/** The values of one column, an entry for each point. */
export async function readMapColumn(
  { id }: Pick<MapArtifact, "id">,
  { blob, type }: { readonly blob: string; readonly type: string },
): Promise<Int32Array | Float32Array> {
  const file = await api.bytes("GET /v1/artifacts/:id", { params: { id }, query: { blob } });
  return type === "category" ? parseNpy(file, "<i4") : parseNpy(file, "<f4");
}
