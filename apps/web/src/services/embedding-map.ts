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
  /** The point of a node, by the user's id; null when it is not on the map. */
  readonly find: (id: string) => number | null;
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
  const ids = { offsets: parseNpy(offsets, "<i4"), bytes: parseNpy(bytes, "|u1") };
  const points = pointsOf(parseNpy(xy, "<f4"), labels);
  return { points, labels, hasIds: true, titleOf: idsIn(ids), find: (id) => findId(ids, id) };
}

async function readUnnamed(read: Read): Promise<EmbeddingMapData> {
  const [xy, file] = await Promise.all([read("projection.npy"), read("rows.npy")]);
  const rows = parseNpy(file, "<i4");
  const labels = new Int32Array(rows.length).fill(-1);
  const titleOf = (index: number) => `row ${rows[index]}`;
  return { points: pointsOf(parseNpy(xy, "<f4"), labels), labels, hasIds: false, titleOf, find: findRow(rows) };
}

/** The reverse of the titles of a map without ids */
function findRow(rows: Int32Array): EmbeddingMapData["find"] {
  return (title) => {
    const row = /^row (\d+)$/.exec(title)?.[1];
    const point = row === undefined ? -1 : rows.indexOf(Number(row));
    return point < 0 ? null : point;
  };
}

/** Coordinates lie as x, y, x, y … in the file; the map draws from one array for each axis. */
function pointsOf(xy: Float32Array, labels: Int32Array): MapPoints {
  const x = new Float32Array(labels.length);
  const y = new Float32Array(labels.length);
  for (let i = 0; i < labels.length; i++) {
    x[i] = xy[2 * i] ?? 0;
    y[i] = xy[2 * i + 1] ?? 0;
  }
  return { x, y, groups: new Int16Array(labels) };
}

/** Ids as UTF-8 text: that of point i lies between `offsets[i]` and `offsets[i + 1]`. */
interface Ids {
  readonly offsets: Int32Array;
  readonly bytes: Uint8Array;
}

function idsIn({ offsets, bytes }: Ids): (index: number) => string {
  const utf8 = new TextDecoder();
  return (index) => utf8.decode(bytes.subarray(offsets[index], offsets[index + 1]));
}

/** Compares bytes: nothing is decoded for ids that are not asked for. */
function findId({ offsets, bytes }: Ids, id: string): number | null {
  const wanted = new TextEncoder().encode(id);
  for (let point = 0; point + 1 < offsets.length; point++) {
    const start = offsets[point] ?? 0;
    if ((offsets[point + 1] ?? 0) - start !== wanted.length) continue;
    if (wanted.every((byte, i) => bytes[start + i] === byte)) return point;
  }
  return null;
}
