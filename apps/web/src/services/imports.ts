import type { ScheduleRequest } from "@hopwise/contracts";
import { api } from "./api.ts";

/** Has an import fetched again from time to time. */
export async function createSchedule(importId: string, when: ScheduleRequest): Promise<void> {
  await api.call("POST /v1/imports/:id/schedules", { params: { id: importId }, body: when });
}
