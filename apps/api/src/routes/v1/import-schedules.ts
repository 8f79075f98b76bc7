import { importScheduleRoutes } from "@hopwise/contracts";
import type { FastifyInstance } from "fastify";
import {
  createSchedule,
  deleteSchedule,
  getSchedule,
  listSchedules,
  pauseSchedule,
  resumeSchedule,
} from "../../imports/schedules/import-schedules.ts";
import { viewerOf } from "../../plugins/auth.ts";
import { presentSchedule } from "../../rest/present/present-schedule.ts";
import { serve } from "../../rest/serve.ts";
import type { Services } from "../../services.ts";

/** When imports are fetched again. */
export async function importScheduleRoutesOf(app: FastifyInstance, services: Services): Promise<void> {
  serve(app, importScheduleRoutes.createImportSchedule, async (request, reply) => {
    const made = await createSchedule(services, viewerOf(request), request.params.id, request.body);
    reply.header("location", `/v1/import-schedules/${made.id}`);
    return presentSchedule(made);
  });
  serve(app, importScheduleRoutes.listImportSchedules, async (request) => ({
    items: (await listSchedules(services, viewerOf(request), request.query.dataset)).map(presentSchedule),
  }));
  serve(app, importScheduleRoutes.readImportSchedule, async (request) =>
    presentSchedule(await getSchedule(services, viewerOf(request), request.params.id)),
  );
  serve(app, importScheduleRoutes.pauseImportSchedule, async (request) =>
    presentSchedule(await pauseSchedule(services, viewerOf(request), request.params.id)),
  );
  serve(app, importScheduleRoutes.resumeImportSchedule, async (request) =>
    presentSchedule(await resumeSchedule(services, viewerOf(request), request.params.id)),
  );
  serve(app, importScheduleRoutes.deleteImportSchedule, async (request) =>
    deleteSchedule(services, viewerOf(request), request.params.id),
  );
}
