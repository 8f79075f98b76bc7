import { AppError } from "@hopwise/contracts";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import { confirmSpec } from "../../datasets/confirm-spec.ts";
import { createDataset, deleteDataset, getDataset, getVersion, listDatasets } from "../../datasets/dataset-service.ts";
import { requestPreview } from "../../datasets/request-preview.ts";
import { uploadFiles } from "../../datasets/upload-files.ts";
import { multipartFiles } from "../../input/multipart-files.ts";
import { viewerOf } from "../../plugins/auth.ts";
import { acceptYaml } from "../../plugins/body-parsers.ts";
import type { Services } from "../../services.ts";
import { type IdParams, idParams, pageQuery, presentPage } from "./shapes.ts";

const newDataset = z.strictObject({ name: z.string(), project: z.string().optional() });
const uploadQuery = z.object({
  preview: z
    .enum(["true", "false"])
    .default("true")
    .describe("false: more files follow; POST …/preview when they are complete"),
  replace: z
    .enum(["true", "false"])
    .default("false")
    .describe("true: a file of a name that is there already takes its place, as long as no graph was built"),
});
/** Boundaries and part headers beside the file itself. */
const multipartOverhead = 64 * 1024;

export async function datasetRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const tags = ["datasets"];
  app.get<{ Querystring: z.infer<typeof pageQuery> }>(
    "/v1/datasets",
    { config: { costly: true }, schema: { tags, querystring: pageQuery } },
    async (request) => presentPage(await listDatasets(services, viewerOf(request), request.query)),
  );
  app.post<{ Body: z.infer<typeof newDataset> }>(
    "/v1/datasets",
    { schema: { tags, body: newDataset } },
    async (request, reply) => {
      const dataset = await createDataset(services, viewerOf(request), request.body);
      reply.code(201).header("location", `/v1/datasets/${dataset.id}`);
      return present(services, dataset.id);
    },
  );
  app.get<IdParams>("/v1/datasets/:id", { schema: { tags, params: idParams } }, async (request) => {
    await getDataset(services, viewerOf(request), request.params.id);
    return present(services, request.params.id);
  });
  app.delete<IdParams>("/v1/datasets/:id", { schema: { tags, params: idParams } }, async (request, reply) => {
    await deleteDataset(services, viewerOf(request), request.params.id);
    return reply.code(204).send();
  });
  app.post<IdParams & { Querystring: z.infer<typeof uploadQuery> }>(
    "/v1/datasets/:id/files",
    {
      schema: { tags, params: idParams, querystring: uploadQuery, consumes: ["multipart/form-data"] },
      // Before a byte of the body is read.
      onRequest: async (request) => {
        refuseDeclaredSize(request, services.limits.uploadBytes);
        await services.store.requireSpaceFor(Number(request.headers["content-length"] ?? 0));
      },
    },
    async (request, reply) => {
      const viewer = viewerOf(request);
      const replaces = request.query.replace === "true";
      const incoming = multipartFiles(request);
      const { version, files } = await uploadFiles(services, viewer, request.params.id, incoming, { replaces });
      const isComplete = request.query.preview === "true";
      const job = isComplete ? await requestPreview(services, viewer, version.id, { requestId: request.id }) : null;
      return reply.code(201).send({ version: version.id, number: version.number, files, previewJob: job?.id ?? null });
    },
  );
  previewRoutes(app, services, tags);
  await app.register(async (scope) => specRoute(scope, services, tags));
}

const previewRequest = z.strictObject({
  readers: z
    .record(
      z.string().max(200),
      z.strictObject({ type: z.string(), options: z.record(z.string(), z.unknown()).default({}) }),
    )
    .default({})
    .describe("Reader and options of single files, by their names; the others are read as they show themselves"),
});

function previewRoutes(app: FastifyInstance, services: Services, tags: string[]): void {
  app.post<IdParams & { Body: z.infer<typeof previewRequest> }>(
    "/v1/datasets/:id/preview",
    { schema: { tags, params: idParams, body: previewRequest } },
    async (request, reply) => {
      const asked = { readers: request.body.readers, requestId: request.id };
      const job = await requestPreview(services, viewerOf(request), request.params.id, asked);
      return reply.code(202).header("location", `/v1/jobs/${job.id}`).send(job);
    },
  );
  app.get<IdParams>("/v1/datasets/:id/preview", { schema: { tags, params: idParams } }, async (request, reply) => {
    const version = await getVersion(services, viewerOf(request), request.params.id);
    if (version.previewId === null) {
      throw new AppError(
        "DATASET_NOT_READY",
        `There is no preview yet: the version is ${version.state}. Upload files, then wait for the map job.`,
      );
    }
    const { info, id } = await services.prisma.artifact.findUniqueOrThrow({ where: { id: version.previewId } });
    return reply.header("etag", `"${id}"`).send({ version: version.id, ...(info as object) });
  });
}

/** The route that takes a dataset spec, as JSON or YAML. */
function specRoute(scope: FastifyInstance, services: Services, tags: string[]): void {
  acceptYaml(scope);
  const spec = z.unknown().describe("DatasetSpec: GET /v1/schemas/dataset-spec.json");
  scope.put<IdParams>(
    "/v1/datasets/:id/spec",
    { schema: { tags, params: idParams, body: spec } },
    async (request, reply) => {
      const job = await confirmSpec(services, viewerOf(request), request.params.id, request.body, request.id);
      return reply.code(202).header("location", `/v1/jobs/${job.id}`).send(job);
    },
  );
}

async function present({ prisma }: Services, id: string) {
  return prisma.dataset.findUniqueOrThrow({
    where: { id },
    include: {
      versions: {
        orderBy: { number: "desc" },
        include: { sources: true, graph: { select: { id: true, digest: true, info: true } } },
      },
    },
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
