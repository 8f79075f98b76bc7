import { AppError, type DatasetSpec, datasetSpec, type ImportRequest, limits, schemaIssue } from "@hopwise/contracts";
import { requireRole, type Viewer } from "../auth/viewer.ts";
import { newId } from "../database/ids.ts";
import { getDataset, getVersion } from "../datasets/dataset-service.ts";
import type { Prisma } from "../generated/prisma/client.ts";
import type { Services } from "../services.ts";
import { type ImportWithFiles, loadImport } from "./import-queries.ts";
import { at, importRow, requireCredential, type WantedFile } from "./import-row.ts";
import { mirrored, publishedDataset } from "./published/published-datasets.ts";
import { listObjects } from "./s3/list-objects.ts";
import { s3Address } from "./s3/s3-address.ts";
import { sourceUrl } from "./source-address.ts";
import { openCredential } from "./source-credentials.ts";

/**
 * Has files fetched into a dataset.
 *
 * @throws AppError IMPORT_ADDRESS, DATASET_FILE_NAME, SPEC_INVALID, REQUEST_CONFLICT for a name that is taken or too
 * many imports of the project; IMPORT_REFUSED for a credential that there is not
 */
export async function requestImport(
  services: Services,
  viewer: Viewer,
  datasetId: string,
  request: ImportRequest,
): Promise<ImportWithFiles> {
  requireRole(viewer, "EDITOR");
  const { files: named, spec, published } = wantedOf(request, services.imports.mirror);
  const { replace } = request;
  const { projectId } = await getDataset(services, viewer, datasetId);
  const files = await withObjects(services, projectId, named);
  const owner = { projectId, createdBy: viewer.userId };
  const parsed = spec === undefined ? null : parseSpec(spec);
  const id = newId("imp");
  const found = files.map((file, index) => importRow(services, file, index));
  const rows = found.map(({ row }) => ({ ...row, ...owner }));
  for (const [i, { row, database }] of found.entries())
    await requireCredential(services, projectId, row.credential, i, database);
  await requireFreeNames(services, viewer, datasetId, rows, replace);
  const { prisma, imports } = services;
  await requireFewImports(services, projectId);
  await prisma.import.create({
    data: {
      id,
      datasetId,
      published,
      ...owner,
      replaces: replace,
      ...(parsed && { spec: parsed as Prisma.InputJsonObject }),
      files: { createMany: { data: rows } },
    },
  });
  imports.importer.wake();
  return loadImport(services, id);
}

interface Wanted {
  readonly files: readonly WantedFile[];
  readonly spec: unknown;
  /** Name of the published data set, if it is one. */
  readonly published: string | null;
}

/**
 * What is to be fetched: the files that are named, or those of a published data set.
 *
 * @throws AppError REQUEST_INVALID
 */
function wantedOf({ files, published: name, spec }: ImportRequest, mirror: string | null): Wanted {
  if (files && name === undefined) return { files, spec, published: null };
  if (files || name === undefined)
    throw new AppError("REQUEST_INVALID", "An import names either files or a published data set.", {
      place: { pointer: "/files" },
    });
  const published = publishedDataset(name);
  const wanted = published.files.map(({ url, name: called, sha256 }) => ({
    url: mirrored(url, mirror),
    name: called,
    ...(sha256 !== null && { sha256 }),
  }));
  return { files: wanted, spec: spec ?? published.spec, published: published.name };
}

/** The files, with those of S3 by their https addresses, and prefixes as all that lies below them. */
async function withObjects(
  services: Services,
  projectId: string,
  files: readonly WantedFile[],
): Promise<readonly WantedFile[]> {
  const found: WantedFile[] = [];
  for (const [i, file] of files.entries()) {
    const address = at(`/files/${i}/url`, () => s3Address(file.url));
    if (address === null) found.push(file);
    else if (address.prefix === null) found.push({ ...file, url: address.url.href });
    else found.push(...(await objectsOf(services, projectId, { ...file, url: address.url.href }, address.prefix, i)));
  }
  if (found.length <= limits.filesPerDataset) return found;
  throw new AppError(
    "REQUEST_TOO_LARGE",
    `These are ${found.length} files; a dataset takes ${limits.filesPerDataset}.`,
  );
}

async function objectsOf(
  services: Services,
  projectId: string,
  file: WantedFile,
  prefix: string,
  index: number,
): Promise<readonly WantedFile[]> {
  const { name, sha256, credential: credentialName } = file;
  if (name !== undefined || sha256 !== undefined)
    throw new AppError("REQUEST_INVALID", "An address that means several objects has neither name nor sha256.", {
      place: { pointer: `/files/${index}/${name === undefined ? "sha256" : "name"}` },
    });
  await requireCredential(services, projectId, credentialName ?? null, index);
  const credential = credentialName === undefined ? null : await openCredential(services, projectId, credentialName);
  const { guard } = services.imports;
  const bucket = at(`/files/${index}/url`, () => sourceUrl(file.url, guard));
  const objects = await listObjects(bucket, prefix, { credential, guard }).catch((error: unknown) =>
    at(`/files/${index}/url`, () => {
      throw error;
    }),
  );
  return objects.map(({ href }) => ({ ...file, url: href }));
}

function parseSpec(spec: unknown): DatasetSpec {
  const parsed = datasetSpec.safeParse(spec);
  if (parsed.success) return parsed.data;
  const { pointer, message } = schemaIssue(parsed.error, ["spec"]);
  throw new AppError("SPEC_INVALID", `${pointer}: ${message}`, { place: { pointer } });
}

async function requireFreeNames(
  services: Services,
  viewer: Viewer,
  datasetId: string,
  rows: readonly { readonly name: string }[],
  replaces: boolean,
): Promise<void> {
  const twice = rows.find(({ name }, i) => rows.findIndex((other) => other.name === name) < i);
  if (twice)
    throw new AppError(
      "REQUEST_CONFLICT",
      `Two files would be called "${twice.name}"; give one of them another name.`,
      {
        place: { file: twice.name },
      },
    );
  const latest = await getVersion(services, viewer, datasetId);
  if (replaces || latest.state === "READY" || latest.state === "FAILED" || latest.state === "INGESTING") return;
  const where = { versionId: latest.id, name: { in: rows.map(({ name }) => name) } };
  const taken = await services.prisma.sourceFile.findFirst({ where });
  if (!taken) return;
  throw new AppError(
    "REQUEST_CONFLICT",
    `This version already has a file "${taken.name}". Import with replace to put the new one in its place, or give it another name.`,
    { place: { file: taken.name } },
  );
}

export async function requireFewImports({ prisma }: Services, projectId: string): Promise<void> {
  const active = await prisma.import.count({ where: { projectId, state: { in: ["WAITING", "RUNNING"] } } });
  if (active < limits.importsPerProject) return;
  throw new AppError(
    "REQUEST_CONFLICT",
    `${active} imports of the project wait or run, which is as many as may; wait for one of them, or cancel it.`,
  );
}
