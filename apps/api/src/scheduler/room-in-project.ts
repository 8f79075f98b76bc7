import type { Holdings } from "../job-state/save-held-time.ts";
import type { Need, WorkerView } from "./need.ts";
import { offersOf } from "./offers.ts";
import type { ProjectShare } from "./project-share.ts";

export interface Room {
  /** Where the stage may be placed. */
  readonly workers: readonly WorkerView[];
  /** Why the project's limits have it wait; null: they do not. */
  readonly objection: string | null;
  /** What the stage would hold */
  readonly wanted: Holdings;
}

/**
 * What a project's limits leave to the next stage of a job. One that leaves the device open, and would need more of
 * them than its project may ever hold, is left the workers whose devices no rank has for itself.
 *
 * @param share null: the project has no limits
 * @param isNew whether no stage of the job has run yet: one that has begun goes on when the month's hours are used
 */
export function roomInProject(
  need: Need,
  workers: readonly WorkerView[],
  share: ProjectShare | null,
  isNew: boolean,
): Room {
  const { members: slots, mostMembers: mostSlots } = need;
  const without = workers.filter((worker) => offersOf(need, worker).some(({ devices }) => devices === null));
  const hasToDoWithout =
    need.device === "auto" && share !== null && need.mostDevices > share.mostDevices && without.length > 0;
  const able = hasToDoWithout ? without : workers;
  const getsDevices =
    !hasToDoWithout && workers.some((worker) => offersOf(need, worker).some(({ devices }) => devices !== null));
  const wanted = { slots, devices: getsDevices ? need.devices : 0 };
  const most = { mostSlots, mostDevices: getsDevices ? need.mostDevices : 0 };
  const objection = (isNew ? share?.hoursUsed : null) ?? share?.objection({ ...wanted, ...most }) ?? null;
  return { workers: able, objection, wanted };
}
