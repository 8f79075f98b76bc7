import { AppError, type DatasetSpec, datasetSpec, type ImportRequest, limits, schemaIssue } from "@hopwise/contracts";
import { requireRole, type Viewer } from "../auth/viewer.ts";
import { newId } from "../database/ids.ts";
import { getDataset, getVersion } from "../datasets/dataset-service.ts";
import { requireAddable } from "../datasets/open-addition.ts";
import type { Prisma } from "../generated/prisma/client.ts";
import type { Services } from "../services.ts";
import { withQueriedFiles } from "./file-queries.ts";
import { type ImportWithFiles, loadImport } from "./import-queries.ts";
import { importRow, requireCredential, requireDifferentNames, type WantedFile } from "./import-row.ts";
import { mirrored, publishedDataset } from "./published/published-datasets.ts";
import { withObjects } from "./s3/with-objects.ts";

/**
 * Has files fetched into a dataset.
 *
 * @throws AppError IMPORT_ADDRESS, DATASET_FILE_NAME, SPEC_INVALID, REQUEST_CONFLICT for a name that is taken, too many
 * imports of the project, or nothing to add to; IMPORT_REFUSED for a credential that there is not
 */
export async function requestImport(
  services: Services,
  viewer: Viewer,
  datasetId: string,
  request: ImportRequest,
): Promise<ImportWithFiles> {
  requireRole(viewer, "EDITOR");
  const { files: named, spec, published } = wantedOf(request, services.imports.mirror);
  const { replace, adds = false } = request;
  if (adds) refuseWithAdds(request);
  const { projectId } = await getDataset(services, viewer, datasetId);
  const files = withQueriedFiles(await withObjects(services, projectId, named), services.imports.guard);
  const owner = { projectId, createdBy: viewer.userId };
  const parsed = spec === undefined ? null : parseSpec(spec);
  const id = newId("imp");
  const found = files.map((file, index) => importRow(services, file, index));
  const rows = found.map(({ row }) => ({ ...row, ...owner }));
  for (const [i, { row, database }] of found.entries())
    await requireCredential(services, projectId, row.credential, i, database);
  if (adds) await requireAddable(services, viewer, datasetId);
  await requireFreeNames(services, viewer, datasetId, rows, replace || adds);
  const { prisma, imports } = services;
  await requireFewImports(services, projectId);
  await prisma.import.create({
    data: {
      id,
      datasetId,
      published,
      ...owner,
      replaces: replace,
      adds,
      ...(parsed && { spec: parsed as Prisma.InputJsonObject }),
      files: { createMany: { data: rows } },
    },
  });
  imports.importer.wake();
  return loadImport(services, id);
}

/** @throws AppError REQUEST_INVALID for what an import that adds rows has from the version that it adds to */
function refuseWithAdds({ replace, spec, published }: ImportRequest): void {
  const [pointer, reason] = replace
    ? ["/replace", "no file of it gives its place to another"]
    : spec !== undefined
      ? ["/spec", "it is read as that version is"]
      : ["/published", "a published data set is imported as a whole"];
  if (!replace && spec === undefined && published === undefined) return;
  throw new AppError(
    "REQUEST_INVALID",
    `An import that adds rows to a version keeps its files: ${reason}. Leave ${pointer.slice(1)} out.`,
    {
      place: { pointer },
    },
  );
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
  const wanted = published.files.map(({ url, name: called }) => ({ url: mirrored(url, mirror), name: called }));
  return { files: wanted, spec: spec ?? published.spec, published: published.name };
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
  requireDifferentNames(rows);
  const latest = await getVersion(services, viewer, datasetId);
  // Where rows are added, a name that is taken is counted on.
  const isCounted = replaces || latest.addsTo !== null;
  if (isCounted || latest.state === "READY" || latest.state === "FAILED" || latest.state === "INGESTING") return;
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
