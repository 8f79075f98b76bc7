import { createHash } from "node:crypto";
import type { DatasetSpec } from "@hopwise/contracts";
import { withFileBeside } from "@hopwise/gnn-core/spec";
import { addedVersion, numbered } from "../datasets/added-version.ts";
import type { DatasetVersion } from "../generated/prisma/client.ts";
import type { Services } from "../services.ts";

/** Digest of a file without a byte */
export const emptySha256 = createHash("sha256").digest("hex");

/**
 * What files are called that come into a version which adds rows: a name that is taken is counted on, `sales.csv` →
 * `sales-7.csv` in version 7, then `sales-7-2.csv`. A schedule brings the same name every night, and no night takes
 * the rows of another away.
 *
 * @param replaces  a file of the version itself may give its place to one of the same name
 */
export async function namesInAddition(
  { prisma }: Pick<Services, "prisma">,
  { id, number }: Pick<DatasetVersion, "id" | "number">,
  wanted: readonly string[],
  replaces: boolean,
): Promise<string[]> {
  const there = await prisma.sourceFile.findMany({ where: { versionId: id } });
  const taken = new Set(there.filter(({ carriedFrom }) => !replaces || carriedFrom !== null).map(({ name }) => name));
  return wanted.map((name) => {
    let free = name;
    for (let count = 1; taken.has(free); count++) {
      free = numbered(name, count === 1 ? String(number) : `${number}-${count}`);
    }
    taken.add(free);
    return free;
  });
}

/**
 * How the version is read with the files that imports have brought: each as the earlier file is whose name it wanted.
 *
 * @returns null where one wanted a name of its own, or was uploaded: the files are to be looked at
 */
export async function specWithAdded(services: Services, version: DatasetVersion): Promise<DatasetSpec | null> {
  const { prisma } = services;
  const before = await addedVersion(services, version);
  if (before === null) return null;
  const added = await prisma.sourceFile.findMany({
    where: { versionId: version.id, carriedFrom: null },
    orderBy: [{ createdAt: "asc" }, { name: "asc" }],
  });
  const fetched = await prisma.importFile.findMany({
    where: { importId: { in: added.flatMap(({ importId }) => importId ?? []) }, storedAs: { not: null } },
  });
  let spec: DatasetSpec | null = added.length > 0 ? before.spec : null;
  for (const { name, importId } of added) {
    const wanted = fetched.find((file) => file.importId === importId && file.storedAs === name)?.name;
    if (spec === null || wanted === undefined || wanted === name) return null;
    spec = withFileBeside(spec, name, wanted);
  }
  return spec;
}
