import { join } from "node:path";
import { graphInfo } from "../io/ingest/ingest-report.ts";
import { type IdFiles, nodeIdFiles } from "../io/ingest/write-ids.ts";
import { int64At, int64Words } from "../io/int64.ts";
import type { ArtifactDir } from "../io/manifest.ts";
import { NpyReader } from "../io/npy.ts";

/** What of a graph's info tells how its ids are stored. */
export const graphIds = graphInfo.pick({ idType: true });

/** Some original ids as they lie on disk: numbers, or UTF-8 bytes with offsets that start at 0. */
export type IdBatch =
  | { readonly type: "int64"; readonly length: number; readonly values: BigInt64Array }
  | { readonly type: "string"; readonly length: number; readonly offsets: Int32Array; readonly bytes: Uint8Array };

/** Reads the original ids of a graph in NodeIndex order, a range at a time. */
export interface NodeIds {
  readonly type: "int64" | "string";
  read(start: number, count: number): Promise<IdBatch>;
  close(): Promise<void>;
}

export async function openNodeIds({ dir, manifest }: ArtifactDir): Promise<NodeIds> {
  const { idType } = graphIds.parse(manifest.info);
  return openIds(dir, idType, nodeIdFiles);
}

/** Ids as `writeIds` writes them, in their order there. */
export async function openIds(dir: string, type: NodeIds["type"], files: IdFiles): Promise<NodeIds> {
  return type === "int64" ? openInt64Ids(dir, files) : openStringIds(dir, files);
}

async function openInt64Ids(dir: string, { numbers }: IdFiles): Promise<NodeIds> {
  const reader = await NpyReader.open(join(dir, numbers), "int64");
  return {
    type: "int64",
    async read(start, count) {
      const values = await reader.readRows(start, count);
      return { type: "int64", length: values.length, values };
    },
    close: () => reader.close(),
  };
}

async function openStringIds(dir: string, files: IdFiles): Promise<NodeIds> {
  const offsets = await NpyReader.open(join(dir, files.offsets), "int64");
  const bytes = await NpyReader.open(join(dir, files.bytes), "uint8");
  return {
    type: "string",
    async read(start, count) {
      const words = int64Words(await offsets.readRows(start, count + 1));
      const length = words.length / 2 - 1;
      const first = int64At(words, 0);
      const batch = new Int32Array(length + 1);
      for (let i = 0; i <= length; i++) batch[i] = int64At(words, i) - first;
      return { type: "string", length, offsets: batch, bytes: await bytes.readRows(first, batch[length]!) };
    },
    async close() {
      await offsets.close();
      await bytes.close();
    },
  };
}

/** The ids of a batch as text. */
export function idTexts(batch: IdBatch): string[] {
  if (batch.type === "int64") return Array.from(batch.values, (id) => id.toString());
  const bytes = Buffer.from(batch.bytes.buffer, batch.bytes.byteOffset, batch.bytes.byteLength);
  return Array.from({ length: batch.length }, (_, i) => bytes.toString("utf8", batch.offsets[i], batch.offsets[i + 1]));
}
