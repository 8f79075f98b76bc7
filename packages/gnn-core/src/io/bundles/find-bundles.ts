import { randomUUID } from "node:crypto";
import { mkdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { GnnError } from "../../errors/gnn-error.ts";
import { isArchive } from "../archives/archive-kind.ts";
import { openArchive } from "../archives/open-archive.ts";
import { memberName, type UnpackingContext, unpackMember } from "../archives/unpacked-members.ts";
import type { UploadedFile } from "../uploaded-files.ts";
import { type Bundle, tableName } from "./bundle.ts";
import { databaseBundles } from "./database-bundle.ts";
import { findDglArrays } from "./dgl-arrays.ts";
import { hdf5Bundle } from "./hdf5-graph.ts";
import { matBundle } from "./mat-arrays.ts";
import { numpyArchive, numpyFiles } from "./numpy-graph.ts";
import { findOgbBinary } from "./ogb-binary.ts";
import { findOgbRaw } from "./ogb-raw.ts";
import { findOgbTyped } from "./ogb-typed.ts";
import { findOpenKe } from "./openke.ts";
import { findPlanetoid } from "./planetoid.ts";

const kinds = [findPlanetoid, findOgbRaw, findOgbTyped, findOgbBinary, findDglArrays, findOpenKe];

/** A table that was made of a bundle. */
export interface BundleTable extends UploadedFile {
  readonly notes: readonly string[];
}

/** The bundles among all files that were uploaded, those in archives included. */
export async function findBundles(uploaded: readonly UploadedFile[], context: UnpackingContext): Promise<Bundle[]> {
  const { limits } = context;
  const names: string[] = [];
  for (const file of uploaded) {
    if (!(await isArchive(file).catch(() => false))) {
      names.push(file.name);
      continue;
    }
    // What is wrong with an archive is said by whoever unpacks it.
    const archive = await openArchive(file, limits, () => context.check(file.name)).catch(() => null);
    names.push(...(archive?.members ?? []).map(({ name }) => memberName(file.name, name)));
    archive?.close();
  }
  const published = kinds.flatMap((find) => find(names));
  const taken = new Set(published.flatMap(({ sources }) => [...sources.values()]));
  const whole: Bundle[] = await databaseBundles(uploaded.filter(({ name }) => !taken.has(name)));
  for (const name of whole.flatMap(({ sources }) => [...sources.values()])) taken.add(name);
  for (const file of uploaded.filter(({ name }) => !taken.has(name))) {
    const found = (await hdf5Bundle(file).catch(() => null)) ?? (await matBundle(file).catch(() => null));
    if (!found) continue;
    whole.push(found);
    taken.add(file.name);
  }
  const left = names.filter((name) => !taken.has(name));
  return [...published, ...whole, ...(await graphsOfArrays(left, uploaded, context))];
}

/** What is said about data, and is none */
const isAbout = /(^|\/)(readme|licen[cs]e|citation)[^/]*$|\.md$/i;

async function graphsOfArrays(
  names: readonly string[],
  uploaded: readonly UploadedFile[],
  context: UnpackingContext,
): Promise<Bundle[]> {
  const data = names.filter((name) => !isAbout.test(name));
  const found: Bundle[] = [];
  for (const name of data.filter((one) => /\.npz$/i.test(one))) {
    const file = await openSource(name, uploaded, context).catch(nullOfDamaged);
    if (file === null) continue;
    const bundle = await numpyArchive(file, { limits: context.limits, hasOthers: data.length > 1 });
    if (bundle) found.push(bundle);
    if (!uploaded.includes(file)) await rm(file.path, { force: true });
  }
  return found.length > 0
    ? found
    : numpyFiles(
        data,
        data.some((name) => !/\.np[yz]$/i.test(name)),
      );
}

/** What is wrong with an archive is said by whoever unpacks it. */
function nullOfDamaged(error: unknown): null {
  if (error instanceof GnnError && error.code === "DATASET_FORMAT_INVALID") return null;
  throw error;
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
