import { AppError } from "@hopwise/contracts";
import { dglDatasets } from "./dgl.ts";
import { edgeListDatasets } from "./edge-lists.ts";
import { ogbDatasets } from "./ogb.ts";
import { planetoidDatasets } from "./planetoid.ts";
import type { PublishedDataset } from "./published-dataset.ts";
import { shchurDatasets } from "./shchur.ts";
import { tuDatasets } from "./tu.ts";

/** Published data sets that can be imported by their names. Each is in a form that the readers take as it is. */
export const publishedDatasets: readonly PublishedDataset[] = [
  ...planetoidDatasets,
  ...ogbDatasets,
  ...dglDatasets,
  ...shchurDatasets,
  ...tuDatasets,
  ...edgeListDatasets,
];

/** @throws AppError REQUEST_INVALID when none is called so */
export function publishedDataset(name: string): PublishedDataset {
  const found = publishedDatasets.find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (found) return found;
  const names = publishedDatasets.map((one) => one.name).join(", ");
  throw new AppError("REQUEST_INVALID", `There is no published data set "${name.slice(0, 80)}"; there are ${names}.`, {
    place: { pointer: "/published" },
  });
}

/** Object id in git that a file of a published data set must have; null: none is known, or nothing is called so. */
export function publishedBlob(name: string | null, index: number): string | null {
  return publishedDatasets.find((one) => one.name === name)?.files[index]?.gitBlob ?? null;
}

/** Where a file is fetched from: its own address, or below the operator's mirror by host and path. */
export function mirrored(url: string, mirror: string | null): string {
  if (mirror === null) return url;
  const { host, pathname } = new URL(url);
  return `${mirror}/${host}${pathname}`;
}
