import { randomUUID } from "node:crypto";
import { mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { isArchive } from "../archives/archive-kind.ts";
import { openZip } from "../archives/open-zip.ts";
import { memberName, type UnpackingContext, unpackMember } from "../archives/unpacked-members.ts";
import type { UploadedFile } from "../uploaded-files.ts";
import { type Bundle, tableName } from "./bundle.ts";
import { findDglArrays } from "./dgl-arrays.ts";
import { numpyArchive, numpyFiles } from "./numpy-graph.ts";
import { findOgbBinary } from "./ogb-binary.ts";
import { findOgbRaw } from "./ogb-raw.ts";
import { findOgbTyped } from "./ogb-typed.ts";
import { findPlanetoid } from "./planetoid.ts";

const kinds = [findPlanetoid, findOgbRaw, findOgbTyped, findOgbBinary, findDglArrays];

/** A table that was made of a bundle. */
export interface BundleTable extends UploadedFile {
  readonly notes: readonly string[];
}

/** The bundles among all files that were uploaded, those in zip archives included. */
export async function findBundles(
  uploaded: readonly UploadedFile[],
  { limits }: Pick<UnpackingContext, "limits">,
): Promise<Bundle[]> {
  const names: string[] = [];
  for (const file of uploaded) {
    if (!(await isArchive(file).catch(() => false))) {
      names.push(file.name);
      continue;
    }
    // What is wrong with an archive is said by whoever unpacks it.
    const zip = await openZip(file, limits).catch(() => null);
    names.push(...(zip?.members ?? []).map(({ name }) => memberName(file.name, name)));
    zip?.close();
  }
  const published = kinds.flatMap((find) => find(names));
  const taken = new Set(published.flatMap(({ sources }) => [...sources.values()]));
  return [
    ...published,
    ...(await graphsOfArrays(
      uploaded.filter(({ name }) => !taken.has(name)),
      limits,
    )),
  ];
}

async function graphsOfArrays(
  uploaded: readonly UploadedFile[],
  limits: UnpackingContext["limits"],
): Promise<Bundle[]> {
  const hasTables = uploaded.some(({ name }) => !/\.np[yz]$/i.test(name));
  const archives = await Promise.all(
    uploaded.map((file) => numpyArchive(file, { limits, hasOthers: uploaded.length > 1 })),
  );
  const found = archives.filter((bundle) => bundle !== null);
  return found.length > 0
    ? found
    : numpyFiles(
        uploaded.map(({ name }) => name),
        hasTables,
      );
}

/**
 * Makes the tables of a bundle in the scratch folder, where they stay until the step ends.
 *
 * @param sampleRows how many rows of each are wanted; null: all
 */
export async function writeBundle(
  bundle: Bundle,
  uploaded: readonly UploadedFile[],
  context: UnpackingContext,
  sampleRows: number | null,
): Promise<BundleTable[]> {
  const dir = join(context.scratchDir, `bundle-${randomUUID()}`);
  await mkdir(dir);
  const opened = new Map<string, Promise<UploadedFile | null>>();
  // A file of an archive that is read twice is unpacked once.
  const open = async (source: string) => {
    const name = bundle.sources.get(source);
    if (name === undefined) return null;
    const file = opened.get(name) ?? openSource(name, uploaded, context);
    opened.set(name, file);
    return file;
  };
  const { limits, check } = context;
  const { tables, notes } = await bundle.write({ open, dir, limits, sampleRows, check });
  return Promise.all(
    tables.map(async (table, i) => {
      const path = join(dir, table);
      return { name: tableName(bundle, table), path, bytes: (await stat(path)).size, notes: i === 0 ? notes : [] };
    }),
  );
}

async function openSource(
  name: string,
  uploaded: readonly UploadedFile[],
  context: UnpackingContext,
): Promise<UploadedFile | null> {
  const itself = uploaded.find((file) => file.name === name);
  const archive = uploaded.find((file) => name.startsWith(`${file.name}/`));
  return itself ?? (archive ? unpackMember(archive, name, context) : null);
}
