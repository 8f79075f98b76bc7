import { AppError, type DatasetSpec, datasetSpec } from "@hopwise/contracts";
import type { DatasetVersion } from "../generated/prisma/client.ts";
import type { Services } from "../services.ts";
import { isUploaded } from "./is-uploaded.ts";
import { withoutFiles } from "./join-carried.ts";

/** The mapping and the files of the version that another adds rows to. */
export interface AddedVersion {
  readonly spec: DatasetSpec;
  readonly files: readonly string[];
}

type Adding = Pick<DatasetVersion, "id" | "datasetId" | "addsTo">;

/** @returns null: the version stands alone */
export async function addedVersion(
  { prisma }: Pick<Services, "prisma">,
  { id, datasetId, addsTo }: Adding,
): Promise<AddedVersion | null> {
  if (addsTo === null) return null;
  const { spec, sources } = await prisma.datasetVersion.findUniqueOrThrow({
    where: { datasetId_number: { datasetId, number: addsTo } },
    include: { sources: true },
  });
  const carried = await prisma.sourceFile.findMany({ where: { versionId: id, carriedFrom: { not: null } } });
  const files = carried.map(({ name }) => name);
  // Those that are not carried were joined to others.
  const gone = new Set(sources.map(({ name }) => name).filter((name) => !files.includes(name)));
  return { spec: withoutFiles(datasetSpec.parse(spec), gone), files };
}

/**
 * A file that a version adds is part of its graph: a mapping that passes over it would add less than was uploaded.
 *
 * @throws AppError SPEC_INVALID with the file
 */
export async function requireAddedFiles(
  { prisma }: Pick<Services, "prisma">,
  { id, addsTo }: Adding,
  named: readonly string[],
): Promise<void> {
  if (addsTo === null) return;
  const added = await prisma.sourceFile.findMany({ where: { versionId: id, carriedFrom: null } });
  for (const { name } of added) {
    if (named.some((file) => isUploaded(new Set([name]), file))) continue;
    const detail = `The file "${name}" was uploaded to add its rows to those of version ${addsTo}, and the spec does not name it. List it among the files of nodes or edges.`;
    throw new AppError("SPEC_INVALID", detail, { place: { file: name } });
  }
}

/**
 * A file of the earlier version keeps its rows: one of the same name would take them away.
 *
 * @throws AppError REQUEST_CONFLICT with the file
 */
export function refuseReplacement(
  { number, addsTo }: Pick<DatasetVersion, "number" | "addsTo">,
  { name, carriedFrom }: { readonly name: string; readonly carriedFrom: number | null },
): void {
  if (addsTo === null || carriedFrom === null) return;
  throw new AppError(
    "REQUEST_CONFLICT",
    `Version ${number} adds to version ${addsTo}, whose file "${name}" it keeps. Upload the new rows under another name, such as "${numbered(name, number)}".`,
    { place: { file: name } },
  );
}

/** `nodes.csv` → `nodes-2.csv` */
export function numbered(name: string, number: number | string): string {
  const dot = name.indexOf(".", name.lastIndexOf("/") + 1);
  return dot < 0 ? `${name}-${number}` : `${name.slice(0, dot)}-${number}${name.slice(dot)}`;
}
