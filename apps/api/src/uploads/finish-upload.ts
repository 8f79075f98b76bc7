import { countedPieces } from "../datasets/counted-pieces.ts";
import { getVersion } from "../datasets/dataset-service.ts";
import { uploadFiles } from "../datasets/upload-files.ts";
import { Prisma, type Upload } from "../generated/prisma/client.ts";
import type { Services } from "../services.ts";
import type { Finish } from "./upload-finisher.ts";
import { partsOf } from "./upload-queries.ts";
import { uploaderOf } from "./uploader.ts";
/** Thrown where an upload cannot become a file now, and is to be looked at again. */
export class NotYet extends Error {
  override readonly name = "NotYet";
}

/**
 * Makes an upload of which all bytes are there a file of its dataset's open version, if it has the digest that it was
 * announced with.
 *
 * @throws NotYet while the dataset is being built, or when the row is another's; AppError of `uploadFiles`
 */
export async function finishUpload(
  services: Services,
  upload: Upload,
  { holder, signal, onBytes }: Finish,
): Promise<void> {
  const { prisma } = services;
  const { id, name: filename, datasetId, expectedSha256, replaces } = upload;
  const viewer = uploaderOf(upload);
  const { state } = await getVersion(services, viewer, datasetId);
  if (state === "INGESTING") throw new NotYet("The dataset is being built; the file comes into its next version.");
  const parts = await partsOf(services, upload);
  const incoming = async function* () {
    yield { filename, expectedSha256, file: countedPieces(parts.read(), { signal, onBytes }) };
  };
  await uploadFiles(services, viewer, datasetId, incoming(), {
    replaces,
    alongside: (version, [stored]) => [
      prisma.upload.update({
        where: { id, holder, state: "FINISHING" },
        data: { state: "DONE", versionId: version.id, sha256: stored?.sha256 ?? null },
      }),
    ],
  }).catch((error: unknown) => {
    // The row was not as this process held it: nothing was written.
    const isGone = error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2025";
    throw isGone ? new NotYet("Another process has the upload.") : error;
  });
}
