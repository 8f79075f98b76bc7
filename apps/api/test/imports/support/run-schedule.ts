import { until } from "../../../../../test/support/until.ts";
import { Schedules } from "../../../src/imports/schedules/schedules.ts";
import type { Leadership } from "../../../src/leader/leadership.ts";
import type { TestApp } from "../../support/start-app.ts";

type Leader = Pick<Leadership, "assert">;

/** Looks at what is due as a process does that was started a moment ago. */
export function lookAtSchedules({ services }: TestApp, now: Date, leader: Leader = { assert: async () => {} }) {
  return new Schedules(services.log).open(services).run(leader, now);
}

/** A moment after a schedule's next run is due */
export function dueTime({ nextAt }: { readonly nextAt: string }): Date {
  return new Date(new Date(nextAt).getTime() + 1000);
}

/** Runs what is due, each look by a new process, and waits for the end of it. */
export async function runSchedule(app: TestApp, id: string) {
  const read = async () => (await app.admin.get(`/v1/import-schedules/${id}`).expect(200)).body;
  const before = await read();
  const now = dueTime(before);
  await lookAtSchedules(app, now);
  return until("the end of the run", async () => {
    await lookAtSchedules(app, now);
    const found = await read();
    return found.runId === null && found.lastAt !== before.lastAt ? found : null;
  });
}
