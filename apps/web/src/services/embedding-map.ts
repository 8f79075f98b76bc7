import type { MapPoints } from "../components/EmbeddingMap/view.ts";
import { api } from "./api.ts";
import { parseNpy } from "./npy.ts";

/** The artifact of a map, as far as its arrays are found by it. */
export interface MapArtifact {
  readonly id: string;
  readonly blobs: readonly { readonly name: string }[];
}

/** A map as the page draws it: an entry for each point. */
export interface EmbeddingMapData {
  readonly points: MapPoints;
  /** Index into the classes, −1 = unlabelled */
  readonly labels: Int32Array;
  /** false: the map was made before maps kept ids and labels. */
  readonly hasIds: boolean;
  /** The user's id of a point, or which row of the graph it is where the map has no ids. */
  readonly titleOf: (index: number) => string;
}

/**
 * Fetches the arrays of a map side by side; ids stay bytes until one is looked at.
 * @throws ProblemError when the API refuses one or does not answer
 */
export async function readEmbeddingMap({ id, blobs }: MapArtifact): Promise<EmbeddingMapData> {
  const read = (blob: string) => api.bytes("GET /v1/artifacts/:id", { params: { id }, query: { blob } });
  const hasIds = blobs.some(({ name }) => name === "ids/offsets.npy");
  return hasIds ? readNamed(read) : readUnnamed(read);
}

type Read = (name: string) => Promise<ArrayBuffer>;

async function readNamed(read: Read): Promise<EmbeddingMapData> {
  const [xy, classes, offsets, bytes] = await Promise.all([
    read("projection.npy"),
    read("labels.npy"),
    read("ids/offsets.npy"),
    read("ids/bytes.npy"),
  ]);
  const labels = parseNpy(classes, "<i4");
  const titleOf = idsIn(parseNpy(offsets, "<i4"), parseNpy(bytes, "|u1"));
  return { points: pointsOf(parseNpy(xy, "<f4"), labels), labels, hasIds: true, titleOf };
}

async function readUnnamed(read: Read): Promise<EmbeddingMapData> {
  const [xy, file] = await Promise.all([read("projection.npy"), read("rows.npy")]);
  const rows = parseNpy(file, "<i4");
  const labels = new Int32Array(rows.length).fill(-1);
  const titleOf = (index: number) => `row ${rows[index]}`;
  return { points: pointsOf(parseNpy(xy, "<f4"), labels), labels, hasIds: false, titleOf };
}

/** Coordinates lie as x, y, x, y … in the file; the map draws from one array for each axis. */
function pointsOf(xy: Float32Array, labels: Int32Array): MapPoints {
  const x = new Float32Array(labels.length);
  const y = new Float32Array(labels.length);
  for (let i = 0; i < labels.length; i++) {
    x[i] = xy[2 * i] ?? 0;
    y[i] = xy[2 * i + 1] ?? 0;
  }
  return { x, y, groups: Int16Array.from(labels) };
}

function idsIn(offsets: Int32Array, bytes: Uint8Array): (index: number) => string {
  const utf8 = new TextDecoder();
  return (index) => utf8.decode(bytes.subarray(offsets[index], offsets[index + 1]));
}
