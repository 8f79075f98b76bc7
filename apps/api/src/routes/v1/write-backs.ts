import { writeBackRoutes } from "@hopwise/contracts";
import type { FastifyInstance } from "fastify";
import { viewerOf } from "../../plugins/auth.ts";
import { presentWriteBack } from "../../rest/present/present-write-back.ts";
import { serve } from "../../rest/serve.ts";
import type { Services } from "../../services.ts";
import { cancelWriteBack } from "../../write-backs/cancel-write-back.ts";
import { requestWriteBack } from "../../write-backs/request-write-back.ts";
import { getWriteBack, listWriteBacks } from "../../write-backs/write-back-queries.ts";

/** Results that the service writes into a database of the user's. */
export async function writeBackRoutesOf(app: FastifyInstance, services: Services): Promise<void> {
  serve(app, writeBackRoutes.startWriteBack, async (request, reply) => {
    const started = await requestWriteBack(services, viewerOf(request), request.params.id, request.body);
    reply.header("location", `/v1/write-backs/${started.id}`);
    return presentWriteBack(started);
  });
  serve(app, writeBackRoutes.listWriteBacks, async (request) => ({
    items: (await listWriteBacks(services, viewerOf(request), request.params.id)).map(presentWriteBack),
  }));
  serve(app, writeBackRoutes.readWriteBack, async (request) =>
    presentWriteBack(await getWriteBack(services, viewerOf(request), request.params.id)),
  );
  serve(app, writeBackRoutes.cancelWriteBack, async (request) =>
    presentWriteBack(await cancelWriteBack(services, viewerOf(request), request.params.id)),
  );
}
