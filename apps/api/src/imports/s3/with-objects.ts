import { AppError, limits } from "@hopwise/contracts";
import type { Services } from "../../services.ts";
import { at, requireCredential, type WantedFile } from "../import-row.ts";
import { sourceUrl } from "../source-address.ts";
import { openCredential } from "../source-credentials.ts";
import { listObjects } from "./list-objects.ts";
import { s3Address } from "./s3-address.ts";

/**
 * The files, with those of S3 by their https addresses, and prefixes as all that lies below them now.
 *
 * @throws AppError IMPORT_ADDRESS, IMPORT_REFUSED, IMPORT_NOT_FOUND, IMPORT_SOURCE, REQUEST_INVALID, REQUEST_TOO_LARGE
 */
export async function withObjects(
  services: Services,
  projectId: string,
  files: readonly WantedFile[],
): Promise<readonly WantedFile[]> {
  const found: WantedFile[] = [];
  for (const [i, file] of files.entries()) {
    const address = at(`/files/${i}/url`, () => s3Address(file.url));
    if (address === null) found.push(file);
    else if (address.prefix === null) found.push({ ...file, url: address.url.href });
    else found.push(...(await objectsBelow(services, projectId, file, i, address.url.href, address.prefix)));
  }
  if (found.length <= limits.filesPerDataset) return found;
  throw new AppError(
    "REQUEST_TOO_LARGE",
    `These are ${found.length} files; a dataset takes ${limits.filesPerDataset}.`,
  );
}

async function objectsBelow(
  services: Services,
  projectId: string,
  file: WantedFile,
  index: number,
  address: string,
  prefix: string,
): Promise<readonly WantedFile[]> {
  const { name, sha256, credential: credentialName } = file;
  if (name !== undefined || sha256 !== undefined)
    throw new AppError("REQUEST_INVALID", "An address that means several objects has neither name nor sha256.", {
      place: { pointer: `/files/${index}/${name === undefined ? "sha256" : "name"}` },
    });
  await requireCredential(services, projectId, credentialName ?? null, index);
  const credential = credentialName === undefined ? null : await openCredential(services, projectId, credentialName);
  const { guard } = services.imports;
  const bucket = at(`/files/${index}/url`, () => sourceUrl(address, guard));
  const objects = await listObjects(bucket, prefix, { credential, guard }).catch((error: unknown) =>
    at(`/files/${index}/url`, () => {
      throw error;
    }),
  );
  return objects.map(({ href }) => ({ ...file, url: href, prefix: file.url }));
}
