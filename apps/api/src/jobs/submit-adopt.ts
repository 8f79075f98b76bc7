import { AppError, limits, type UploadedModel, uploadedModelOf } from "@hopwise/contracts";
import { modelCardFile } from "@hopwise/gnn-core/spec";
import { requireRole, type Viewer } from "../auth/viewer.ts";
import { closeFiles } from "../datasets/close-files.ts";
import { createDataset, getDataset, getVersion } from "../datasets/dataset-service.ts";
import { serviceJob, versionToRead } from "../datasets/service-job.ts";
import type { Dataset, Job, SourceFile } from "../generated/prisma/client.ts";
import { planAdopt } from "../job-state/plan-stages.ts";
import { queueJob, type SubmitOptions } from "../job-state/queue-job.ts";
import type { Services } from "../services.ts";

/** A place for the files of a model, which takes uploads as a dataset does and is in no list. */
export async function beginModelUpload(
  services: Services,
  viewer: Viewer,
  { name, project }: { readonly name: string; readonly project?: string | null | undefined },
): Promise<Dataset> {
  return createDataset(services, viewer, { name, project, isForModel: true });
}

export interface AdoptRequest {
  readonly name: string;
  readonly note: string;
}

/**
 * Queues the job that holds uploaded weights against their card, and makes them the next version under a name. What
 * the card alone says is looked at here; then the set of files stays open.
 *
 * @throws AppError REQUEST_NOT_FOUND, REQUEST_CONFLICT for a dataset of data, DATASET_FILE_MISSING without a card,
 * MODEL_INVALID with the place of what is wrong in the card, AUTH_FORBIDDEN
 */
export async function submitAdopt(
  services: Services,
  viewer: Viewer,
  uploadId: string,
  { name, note }: AdoptRequest,
  options: SubmitOptions = {},
): Promise<Job> {
  requireRole(viewer, "EDITOR");
  const { isForModel } = await getDataset(services, viewer, uploadId);
  if (!isForModel) {
    const message =
      "This is a dataset; the files of a model are uploaded to a place that POST /v1/model-uploads makes.";
    throw new AppError("REQUEST_CONFLICT", message);
  }
  const { id } = await getVersion(services, viewer, uploadId);
  const sources = await services.prisma.sourceFile.findMany({ where: { versionId: id } });
  const model = uploadedModelOf(await readCard(services, sources), services.registry);
  requireDigests(model, sources);
  await closeFiles(services, viewer, id);
  const version = await versionToRead(services, viewer, id);
  const { spec, trainedOn, dataset: trainedDataset, datasetName } = model;
  const told = { model: name, note, adopted: { spec, trainedOn, dataset: trainedDataset, datasetName } };
  const draft = serviceJob("adopt", `Upload of ${name}`, version, told);
  const stages = planAdopt({ info: model.info, typeDims: model.typeDims }, services.registry);
  return queueJob(services, viewer, { ...draft, modelType: spec.model.type }, stages, options);
}

async function readCard({ store }: Services, sources: readonly SourceFile[]): Promise<unknown> {
  const place = { file: modelCardFile };
  const card = sources.find(({ name }) => name === modelCardFile);
  if (!card) {
    const there = sources.map(({ name }) => name).join(", ") || "none yet";
    const message = `There is no ${modelCardFile} among the uploaded files: ${there}. It is beside the weights of a downloaded model.`;
    throw new AppError("DATASET_FILE_MISSING", message, { place });
  }
  if (card.bytes > limits.modelCardBytes) {
    const message = `${modelCardFile} has ${card.bytes} bytes, and may have ${limits.modelCardBytes}.`;
    throw new AppError("MODEL_INVALID", message, { place });
  }
  const pieces: Buffer[] = [];
  for await (const piece of await store.get(card.blobKey)) pieces.push(piece as Buffer);
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(pieces)));
  } catch (cause) {
    throw new AppError("MODEL_INVALID", `${modelCardFile} is not JSON in UTF-8; send it as it was downloaded.`, {
      cause,
      place,
    });
  }
}

/** A card that lists its files is held against them: another model's weights of the same shapes are other weights. */
function requireDigests({ files }: UploadedModel, sources: readonly SourceFile[]): void {
  for (const { name, sha256 } of files) {
    const found = sources.find((file) => file.name === name);
    if (found?.sha256 === sha256) continue;
    const what = found ? `${name} has the sha256 ${found.sha256}` : `${name} is not among the uploaded files`;
    const message = `/files: ${what}, and the card says ${sha256}; send the files that belong to the card, or leave "files" out of it.`;
    throw new AppError("MODEL_INVALID", message, { place: { file: name, pointer: "/files" } });
  }
}
