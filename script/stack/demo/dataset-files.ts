import { readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

const wanted = /^(edges|nodes)\.(csv|tsv|parquet)(\.gz|\.zst)?$|^features\.(npz|npy)$/;

/**
 * The files of a folder that make a dataset.
 *
 * @throws Error saying what was found and what is expected
 */
export function datasetFiles(dir: string): string[] {
  const folder = resolve(dir);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new Error(`There is no folder ${folder}.`);
  const names = readdirSync(folder).toSorted();
  const files = names.filter((name) => wanted.test(name));
  const has = (stem: string) => files.some((name) => name.startsWith(stem));
  if (!has("edges.") || !has("nodes.")) {
    throw new Error(
      `${folder} holds ${names.join(", ") || "nothing"}; the demo needs edges.csv and nodes.csv (or .csv.gz, .parquet), and features.npz if there are features.`,
    );
  }
  return files.map((name) => join(folder, name));
}
