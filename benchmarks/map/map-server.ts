import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { extname, join, normalize } from "node:path";

const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** The dashboard's pages, with a map of so many made points behind the API's addresses; nothing else answers. */
export function mapServer(dist: string, numPoints: number): Server {
  const files = mapFiles(numPoints);
  const answer = JSON.stringify({ data: { job: jobOf(numPoints, Object.keys(files)) } });
  const none = JSON.stringify({ errors: [{ message: "Only the map is measured." }] });
  return createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://here");
    const blob = searchParams.get("blob");
    if (blob !== null) return void response.end(files[blob]);
    if (pathname === "/graphql") {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        response.setHeader("content-type", "application/json");
        response.end(Buffer.concat(chunks).includes("Embeddings") ? answer : none);
      });
      return undefined;
    }
    const type = types[extname(pathname)];
    response.setHeader("content-type", type ?? "text/html");
    return void response.end(readFileSync(join(dist, type ? normalize(pathname) : "index.html")));
  });
}

/** Forty clusters in a ring, as labels would have them: sorted by class, which a sample of a beginning would show. */
function mapFiles(numPoints: number): Readonly<Record<string, Buffer>> {
  const xy = new Float32Array(2 * numPoints);
  const labels = new Int32Array(numPoints);
  const offsets = new Int32Array(numPoints + 1);
  const bytes = new Uint8Array(7 * numPoints);
  let state = 1;
  const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  for (let i = 0; i < numPoints; i++) {
    const label = Math.floor((40 * i) / numPoints);
    const spread = Math.sqrt(-2 * Math.log(random()));
    const turn = 2 * Math.PI * random();
    xy[2 * i] = 10 * Math.cos((2 * Math.PI * label) / 40) + spread * Math.cos(turn);
    xy[2 * i + 1] = 10 * Math.sin((2 * Math.PI * label) / 40) + spread * Math.sin(turn);
    labels[i] = label;
    bytes.set(Buffer.from(String(i).padStart(7, "0")), 7 * i);
    offsets[i + 1] = 7 * (i + 1);
  }
  const none = new Int32Array(0);
  return {
    "projection.npy": npy("<f4", xy, 2),
    "labels.npy": npy("<i4", labels),
    "ids/offsets.npy": npy("<i4", offsets),
    "ids/bytes.npy": npy("|u1", bytes),
    "degrees.npy": npy("<i4", labels),
    "detailed.npy": npy("<i4", none),
    "nearest/points.npy": npy("<i4", none, 10),
    "nearest/similarities.npy": npy("<f4", new Float32Array(0), 10),
    "neighbors/points.npy": npy("<i4", none),
    "neighbors/offsets.npy": npy("<i4", new Int32Array(numPoints + 1)),
  };
}

function npy(descr: string, data: Float32Array | Int32Array | Uint8Array, width = 1): Buffer {
  const shape = width === 1 ? `${data.length},` : `${data.length / width}, ${width}`;
  const header = `${`{'descr': '${descr}', 'fortran_order': False, 'shape': (${shape}), }`.padEnd(117)}\n`;
  const size = Buffer.from(Uint16Array.of(header.length).buffer);
  const head = [Buffer.from("\x93NUMPY\x01\x00", "latin1"), size, Buffer.from(header)];
  return Buffer.concat([...head, Buffer.from(data.buffer, data.byteOffset, data.byteLength)]);
}

function jobOf(numPoints: number, names: readonly string[]) {
  const classes = Array.from({ length: 40 }, (_, label) => `class ${label}`);
  const artifact = { __typename: "Artifact", id: "art_map", blobs: names.map((name) => ({ name })) };
  const spread = { explained: [0.5, 0.2], effectiveDim: 6, hasUmap: false, numDetailed: 0 };
  const projection = { __typename: "Projection", ...spread, numPoints, classes, columns: [], artifact };
  const embeddings = { __typename: "Embeddings", id: "emb", numRows: numPoints, dim: 64, layer: "lastHidden" };
  const job = { __typename: "Job", id: "job_map", name: "map", state: "SUCCEEDED", spec: {}, predictionDownloads: [] };
  return { ...job, embeddings: { ...embeddings, projection, downloads: [] } };
}
