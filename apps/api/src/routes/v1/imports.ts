import { importRoutes, sourceCredentialRoutes } from "@hopwise/contracts";
import type { FastifyInstance } from "fastify";
import { cancelImport, repeatImport } from "../../imports/change-import.ts";
import { getImport, listImports } from "../../imports/import-queries.ts";
import { proposeImport } from "../../imports/propose-import.ts";
import { publishedDatasets } from "../../imports/published/published-datasets.ts";
import { requestImport } from "../../imports/request-import.ts";
import {
  createSourceCredential,
  deleteSourceCredential,
  listSourceCredentials,
} from "../../imports/source-credentials.ts";
import { viewerOf } from "../../plugins/auth.ts";
import {
  presentImport,
  presentImportProposal,
  presentPublishedDataset,
  presentSourceCredential,
} from "../../rest/present/present-import.ts";
import { serve } from "../../rest/serve.ts";
import type { Services } from "../../services.ts";

/** Files that the service fetches from elsewhere, and what it has to be let in there. */
export async function importRoutesOf(app: FastifyInstance, services: Services): Promise<void> {
  serve(app, importRoutes.startImport, async (request, reply) => {
    const started = await requestImport(services, viewerOf(request), request.params.id, request.body);
    reply.header("location", `/v1/imports/${started.id}`);
    return presentImport(started);
  });
  serve(app, importRoutes.proposeImport, async (request) =>
    presentImportProposal(await proposeImport(services, viewerOf(request), request.body)),
  );
  serve(app, importRoutes.listPublishedDatasets, async () => ({
    items: publishedDatasets.map((one) => presentPublishedDataset(one, services.imports.mirror)),
  }));
  serve(app, importRoutes.listImports, async (request) => ({
    items: (await listImports(services, viewerOf(request), request.params.id)).map(presentImport),
  }));
  serve(app, importRoutes.readImport, async (request) =>
    presentImport(await getImport(services, viewerOf(request), request.params.id)),
  );
  serve(app, importRoutes.cancelImport, async (request) =>
    presentImport(await cancelImport(services, viewerOf(request), request.params.id)),
  );
  serve(app, importRoutes.repeatImport, async (request, reply) => {
    const started = await repeatImport(services, viewerOf(request), request.params.id);
    reply.header("location", `/v1/imports/${started.id}`);
    return presentImport(started);
  });
  serve(app, sourceCredentialRoutes.listSourceCredentials, async (request) => ({
    items: (await listSourceCredentials(services, viewerOf(request), request.query.project)).map(
      presentSourceCredential,
    ),
  }));
  serve(app, sourceCredentialRoutes.createSourceCredential, async (request) =>
    presentSourceCredential(await createSourceCredential(services, viewerOf(request), request.body)),
  );
  serve(app, sourceCredentialRoutes.deleteSourceCredential, async (request) =>
    deleteSourceCredential(services, viewerOf(request), request.params.id),
  );
}
