import {
  isTerminal,
  type JobEventContent,
  type MadeArtifact,
  type Member,
  type MemberSnapshot,
  memberName,
  type StageSnapshot,
} from "@hopwise/contracts";
import { problemOfRow } from "../database/stored-json.ts";
import type { Attempt, Job, Stage, StageSequence } from "../generated/prisma/client.ts";
import type { NewJobEvent } from "./job-event.ts";

export interface NewArtifact {
  readonly made: MadeArtifact;
  readonly stageIndex: number;
  readonly attempt: number;
  readonly epoch: number | null;
  readonly step: number | null;
}

export interface NewMetric {
  readonly name: string;
  readonly step: number;
  readonly axis: string;
  readonly value: number | null;
  readonly attempt: number;
  readonly at: Date;
}

export interface MemberChange {
  readonly attempt: number;
  readonly member: Member;
  readonly localRank?: number;
  readonly host?: string;
  readonly pid?: number;
  readonly state: "STARTING" | "RUNNING" | "FINISHED" | "LOST";
  readonly snapshot?: MemberSnapshot;
}

export interface LoadedJob {
  readonly job: Job;
  /** In order of their index. */
  readonly stages: readonly Stage[];
  /** The attempt that holds the fencing token; null before the first grant. */
  readonly attempt: Attempt | null;
  readonly sequences: readonly StageSequence[];
  /** The last attempt that stored an artifact; 0 = none did. */
  readonly lastFruitfulAttempt: number;
  /** Incidents of the attempt that holds the fencing token, and full disks of earlier ones */
  readonly incidents: readonly { readonly attempt: number; readonly code: string }[];
}

/**
 * One job in memory while a transaction holds its row: transitions change it and record what subscribers
 * must hear, `saveJobRun` writes the difference. Pure, so the state machine is tested without a database.
 */
export class JobRun {
  readonly job: Job;
  readonly stages: readonly Stage[];
  attempt: Attempt | null;
  /** `<attempt>/<stageIndex>/<slice>` → highest persisted seq. */
  readonly sequences: Map<string, number>;
  lastFruitfulAttempt: number;
  /** `<attempt>/<code>` */
  readonly #incidents: Set<string>;

  readonly events: NewJobEvent[] = [];
  readonly artifacts: NewArtifact[] = [];
  readonly metrics = new Map<string, NewMetric>();
  /** By attempt and name */
  readonly members = new Map<string, MemberChange>();
  readonly changedStages = new Set<number>();
  /** Stages that held slots when the row was read. */
  readonly heldBefore: ReadonlySet<number>;
  readonly changedSequences = new Set<string>();
  jobChanged = false;
  attemptChanged: "created" | "updated" | null = null;
  /** Attempts that ended while their successor began in the same transaction. */
  readonly endedAttempts: Attempt[] = [];
  /** What became of the members of this attempt's running stage. */
  memberOutcome: "FINISHED" | "LOST" | null = null;

  constructor(loaded: LoadedJob) {
    this.job = { ...loaded.job };
    this.stages = loaded.stages.map((stage) => ({ ...stage }));
    this.heldBefore = new Set(loaded.stages.filter(isHeld).map(({ index }) => index));
    this.attempt = loaded.attempt && { ...loaded.attempt };
    this.lastFruitfulAttempt = loaded.lastFruitfulAttempt;
    this.#incidents = new Set(loaded.incidents.map(({ attempt, code }) => `${attempt}/${code}`));
    this.sequences = new Map(loaded.sequences.map((row) => [sequenceKey(row), row.seq]));
  }

  /** The stage that is in a queue or running; at most one is. */
  get activeStage(): Stage | null {
    return this.stages.find(isHeld) ?? null;
  }

  /** The stage that may be granted next. */
  get nextStage(): Stage | null {
    return this.stages.find(({ state }) => state !== "SUCCEEDED") ?? null;
  }

  get hasEnded(): boolean {
    return isTerminal(this.job.state);
  }

  changeJob(change: Partial<Job>): void {
    Object.assign(this.job, change);
    this.jobChanged = true;
  }

  changeStage(stage: Stage, change: Partial<Stage>): void {
    Object.assign(stage, change);
    this.changedStages.add(stage.index);
  }

  changeAttempt(change: Partial<Attempt>): void {
    if (!this.attempt) return;
    Object.assign(this.attempt, change);
    this.attemptChanged ??= "updated";
  }

  memberOf(attempt: number, member: Member): MemberChange | undefined {
    return this.members.get(`${attempt}/${memberName(member)}`);
  }

  /** Adds to what is known of a member. */
  changeMember(change: MemberChange): void {
    const { attempt, member } = change;
    this.members.set(`${attempt}/${memberName(member)}`, { ...this.memberOf(attempt, member), ...change });
  }

  persistedSeq(slice: SequenceOf): number {
    return this.sequences.get(sequenceKey(slice)) ?? 0;
  }

  advanceSeq(slice: SequenceOf, seq: number): void {
    const key = sequenceKey(slice);
    this.sequences.set(key, seq);
    this.changedSequences.add(key);
  }

  record(content: JobEventContent, at: Date, stageIndex: number | null = null): void {
    const { attempt } = this.job;
    this.events.push({ ...content, at, attempt, stageIndex });
    if (content.type === "IncidentRaised") this.#incidents.add(`${attempt}/${content.body.code}`);
  }

  /** Whether an attempt, the current one if none is named, has told of such an incident. */
  hasIncident(code: string, attempt = this.job.attempt): boolean {
    return this.#incidents.has(`${attempt}/${code}`);
  }

  recordStage(stage: Stage, at: Date): void {
    this.record({ type: "StageProgressed", body: snapshotOf(stage) }, at, stage.index);
  }

  get isUntouched(): boolean {
    return !this.jobChanged && this.events.length === 0 && this.changedSequences.size === 0 && !this.attemptChanged;
  }
}

/** Whether a stage holds the slots and devices that it was granted. */
export function isHeld({ state }: Pick<Stage, "state">): boolean {
  return state === "QUEUED" || state === "RUNNING";
}

/** Events are counted for each host of a stage. */
export type SequenceOf = Pick<StageSequence, "attempt" | "stageIndex" | "slice">;

function sequenceKey({ attempt, stageIndex, slice }: SequenceOf): string {
  return `${attempt}/${stageIndex}/${slice}`;
}

export function snapshotOf(stage: Stage): StageSnapshot {
  return {
    stageIndex: stage.index,
    kind: stage.kind,
    state: stage.state,
    cached: stage.cached,
    phase: stage.phase,
    completed: stage.completed === null ? null : Number(stage.completed),
    total: stage.total === null ? null : Number(stage.total),
    unit: stage.unit,
    etaSeconds: stage.etaSeconds,
    problem: problemOfRow(stage),
  };
}
