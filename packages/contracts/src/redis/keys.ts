import { keyName, type StageKey } from "../jobs/stage-key.ts";

/** Every Redis name, in one place. All of it can be rebuilt from PostgreSQL and the workers after a FLUSHALL. */
export const redisKeys = {
  /** BullMQ queue of one worker; job name `stage`, data StageTask, job id as in `acked`. */
  workerQueue: (workerId: string) => `host-${workerId}`,
  /**
   * Stream of the WorkerEvents of one slice, written by its worker alone. An entry's id is `<seq>-0`, so that Redis
   * itself refuses repeats and disorder; field `event` holds the JSON, field `type` that of its body.
   */
  events: (workerId: string, key: StageKey) => `hw:events:${workerId}:${keyName(key)}`,
  eventsPattern: "hw:events*",
  /** Stream with one entry, new whenever the API's reader of events is to look for new slices. */
  eventsBell: "hw:events-bell",
  /**
   * Hash `<jobId>-<attempt>-<stageIndex>`, of slices but the first with `.<slice>` behind, → highest seq the API has
   * persisted (cumulative).
   */
  acked: "hw:acked",
  /** String, WorkerAnnouncement as JSON, PX 5000. */
  worker: (workerId: string) => `hw:worker:${workerId}`,
  workerPattern: "hw:worker:*",
  /**
   * Set of the ids of workers that have announced themselves, for who may not list keys; those of dead workers stay.
   */
  workers: "hw:workers",
  /**
   * String `<workerId>/<bootId>`, PX 5000, renewed each second while the stage runs; one for each slice, which is one
   * worker's.
   */
  lease: (workerId: string, jobId: string, attempt: number, slice = 0) =>
    `hw:lease:${workerId}:${jobId}:${attempt}${slice === 0 ? "" : `:${slice}`}`,
  /**
   * Hash key → bytes: where the ranks of a stage on several hosts find each other, by the name in their tasks
   * (`StageTask.rendezvous`), which nobody else can guess; expires after `rendezvousMs`.
   */
  rendezvous: (name: string) => `hw:rendezvous:${name}`,
  /** String, DoctorRequest as JSON: which check of the workers' connections runs now; expires after `doctorMs`. */
  doctor: "hw:doctor",
  /**
   * Hash `listening:<workerId>` → DoctorListening, `report:<workerId>` → DoctorReport, as JSON; expires after
   * `doctorMs`.
   */
  doctorAnswers: (id: string) => `hw:doctor:${id}`,
  /**
   * String: what the API allows this worker of the artifact store in a check; no other worker may read it. PX
   * `doctorMs`.
   */
  doctorGrant: (workerId: string, id: string) => `hw:doctor-grant:${workerId}:${id}`,
  /** Hash jobId → DesiredState as JSON; mirrored from the database. */
  desired: "hw:desired",
  /** Set by the API when it finds it missing; a change means that Redis was emptied. */
  generation: "hw:generation",
  /**
   * Two strings, the halves of a worker's own log: lines of JSON (`WorkerLogLine`), each of them added to until it is
   * full. PX `workerLogMs`.
   */
  workerLog: (workerId: string, half: 0 | 1) => `hw:log:${workerId}:${half}`,
  /** Written by the API to see whether Redis takes writes; nobody reads it. */
  probe: "hw:probe",
} as const;

/** Pub/sub channels: a message only wakes the reader, who then reads the stored state. */
export const redisChannels = {
  /** jobId whose desired state changed. */
  desired: "hw:wake:desired",
  /**
   * `keyName` of a slice with events missing: its worker is to send again what comes after the acknowledged ones.
   * Empty: all workers are to look.
   */
  resend: "hw:wake:resend",
  /** Asks workers to test their connections, as the stored request says. */
  doctor: "hw:wake:doctor",
  /** jobId with newly persisted events (to API replicas). */
  persisted: "hw:wake:persisted",
} as const;

/** Pub/sub channel of a rendezvous: the message is the key that was set. */
export const rendezvousChannel = (name: string): string => `hw:wake:rendezvous:${name}`;

/** Far longer than ranks take to find each other. */
export const rendezvousMs = 3_600_000;

/** Longer than any check of the workers' connections takes. */
export const doctorMs = 60_000;

export const leaseMs = 5000;
export const renewMs = 1000;

/** What a user wants of a job beyond running: attempts below `attempt` must stop too. */
export interface DesiredState {
  readonly state: "run" | "endTraining" | "cancel";
  /** The attempt that holds the fencing token; a worker stops any older one. */
  readonly attempt: number;
  /**
   * The stage that is under way or next in this attempt: nobody waits for events of those before it. Left out: not
   * known.
   */
  readonly stage?: number | undefined;
}
