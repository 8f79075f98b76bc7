import { AppError, datasetRoutes as routes } from "@hopwise/contracts";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { artifactInfo } from "../../database/stored-json.ts";
import { confirmSpec } from "../../datasets/confirm-spec.ts";
import { createVersion } from "../../datasets/create-version.ts";
import {
  createDataset,
  deleteDataset,
  getDataset,
  getVersion,
  listDatasets,
  loadVersion,
  loadVersions,
} from "../../datasets/dataset-service.ts";
import { proposePreset } from "../../datasets/propose-preset.ts";
import { requestPreview } from "../../datasets/request-preview.ts";
import { uploadFiles } from "../../datasets/upload-files.ts";
import { parseJson } from "../../input/parse-json.ts";
import { viewerOf } from "../../plugins/auth.ts";
import { acceptYaml } from "../../plugins/body-parsers.ts";
import {
  presentDataset,
  presentDatasetDetails,
  presentSourceFile,
  presentVersion,
} from "../../rest/present/present-dataset.ts";
import { presentJob } from "../../rest/present/present-job.ts";
import { presentPage } from "../../rest/present/present-page.ts";
import { presentProposal } from "../../rest/present/present-preset.ts";
import { serve } from "../../rest/serve.ts";
import type { Services } from "../../services.ts";
import { multipartFiles } from "./multipart-files.ts";

/** Boundaries and part headers beside the file itself. */
const multipartOverhead = 64 * 1024;

export async function datasetRoutes(app: FastifyInstance, services: Services): Promise<void> {
  serve(
    app,
    routes.listDatasets,
    async (request) => presentPage(await listDatasets(services, viewerOf(request), request.query), presentDataset),
    { config: { costly: true } },
  );
  serve(app, routes.createDataset, async (request, reply) => {
    const dataset = await createDataset(services, viewerOf(request), request.body);
    reply.header("location", `/v1/datasets/${dataset.id}`);
    return presentDatasetDetails(await loadVersions(services, dataset));
  });
  serve(app, routes.readDataset, async (request) => {
    const dataset = await getDataset(services, viewerOf(request), request.params.id);
    return presentDatasetDetails(await loadVersions(services, dataset));
  });
  serve(app, routes.deleteDataset, async (request) => deleteDataset(services, viewerOf(request), request.params.id));
  serve(app, routes.createVersion, async (request) => {
    const { id } = await createVersion(services, viewerOf(request), request.params.id, request.body);
    return presentVersion(await loadVersion(services, id));
  });
  uploadRoute(app, services);
  previewRoutes(app, services);
  presetRoute(app, services);
  await app.register(async (scope) => specRoute(scope, services));
}

function uploadRoute(app: FastifyInstance, services: Services): void {
  serve(
    app,
    routes.uploadFiles,
    async (request) => {
      const viewer = viewerOf(request);
      const replaces = request.query.replace === "true";
      const incoming = multipartFiles(request);
      const { version, files } = await uploadFiles(services, viewer, request.params.id, incoming, { replaces });
      const isComplete = request.query.preview === "true";
      const job = isComplete ? await requestPreview(services, viewer, version.id, { requestId: request.id }) : null;
      const { id, number } = version;
      return { version: id, number, files: files.map(presentSourceFile), previewJob: job?.id ?? null };
    },
    {
      // Before a byte of the body is read.
      onRequest: async (request) => {
        refuseDeclaredSize(request, services.limits.uploadBytes);
        await services.store.requireSpaceFor(Number(request.headers["content-length"] ?? 0));
      },
    },
  );
}

function previewRoutes(app: FastifyInstance, services: Services): void {
  serve(app, routes.requestPreview, async (request, reply) => {
    const asked = { readers: request.body.readers, requestId: request.id };
    const job = await requestPreview(services, viewerOf(request), request.params.id, asked);
    reply.header("location", `/v1/jobs/${job.id}`);
    return presentJob(job);
  });
  serve(app, routes.readPreview, async (request, reply) => {
    const version = await getVersion(services, viewerOf(request), request.params.id);
    if (version.previewId === null) {
      throw new AppError(
        "DATASET_NOT_READY",
        `There is no preview yet: the version is ${version.state}. Upload files, then wait for the map job.`,
      );
    }
    const { info, id } = await services.prisma.artifact.findUniqueOrThrow({ where: { id: version.previewId } });
    reply.header("etag", `"${id}"`);
    return { version: version.id, ...artifactInfo("preview", info) };
  });
}

function presetRoute(app: FastifyInstance, services: Services): void {
  serve(app, routes.readPreset, async (request) => {
    const version = await getVersion(services, viewerOf(request), request.params.id);
    if (version.graphId === null) {
      throw new AppError(
        "DATASET_NOT_READY",
        `There is no graph yet: the version is ${version.state}. Confirm a dataset spec, then wait for the ingest job.`,
      );
    }
    const { info } = await services.prisma.artifact.findUniqueOrThrow({ where: { id: version.graphId } });
    return presentProposal(proposePreset(artifactInfo("graph", info), taskIn(request.query), services.registry));
  });
}

function taskIn({ task }: { readonly task?: string | undefined }): unknown {
  if (task === undefined) return undefined;
  try {
    return parseJson(task);
  } catch (cause) {
    const message =
      'The query\'s task is not read as JSON; send the `task` section of a job spec, such as {"target":"label"}.';
    throw new AppError("REQUEST_INVALID", message, { place: { pointer: "/task" }, cause });
  }
}

/** The route that takes a dataset spec, as JSON or YAML. */
function specRoute(scope: FastifyInstance, services: Services): void {
  acceptYaml(scope);
  serve(scope, routes.confirmSpec, async (request, reply) => {
    const job = await confirmSpec(services, viewerOf(request), request.params.id, request.body, request.id);
    reply.header("location", `/v1/jobs/${job.id}`);
    return presentJob(job);
  });
}

function refuseDeclaredSize(request: FastifyRequest, maxBytes: number): void {
  const declared = Number(request.headers["content-length"] ?? 0);
  if (declared <= maxBytes + multipartOverhead) return;
  throw new AppError(
    "REQUEST_TOO_LARGE",
    `The request declares ${declared} bytes; the limit is ${maxBytes} bytes a file (HOPWISE_UPLOAD_BYTES).`,
  );
}
