import { isTerminal } from "@hopwise/contracts/jobs/terminal-states";
import type { Client } from "urql";
import { jobEventsSubscription } from "./documents/job.ts";
import { askForJob } from "./early-job.ts";
import { EventBatch } from "./event-batch.ts";
import type { JobEvent, JobSnapshot } from "./job-state.ts";
import { problemFromGraphql, type ShownProblem } from "./problem.ts";

export type LiveState = "connecting" | "live" | "reconnecting" | "ended";

export interface JobListener {
  /** undefined: there is no such job. */
  readonly onSnapshot: (snapshot: JobSnapshot | undefined) => void;
  readonly onEvents: (events: readonly JobEvent[]) => void;
  /** Why the job could not be asked for; null once it could again. */
  readonly onProblem: (problem: ShownProblem | null) => void;
  readonly onLive: (state: LiveState) => void;
}

const retryMs = [500, 1000, 2000, 5000];

/**
 * Follows one job: a snapshot, then the events after its cursor. Whenever the events stop before the job has ended, for
 * whatever reason, a new snapshot is taken and the events after its cursor are followed.
 */
export class JobFollower {
  readonly #client: Client;
  readonly #id: string;
  readonly #listener: JobListener;
  readonly #stageStates = new Map<number, string>();
  readonly #batch = new EventBatch<JobEvent>((events) => this.#take(events));
  #isStopped = false;
  /** Counts beginnings: what an earlier one still waits for counts no more. */
  #round = 0;
  #tries = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #unsubscribe: (() => void) | undefined;
  #asking: Promise<JobSnapshot | undefined> | null = null;

  constructor(client: Client, id: string, listener: JobListener) {
    this.#client = client;
    this.#id = id;
    this.#listener = listener;
  }

  /** Begins, or begins anew. */
  start(): void {
    this.#leave();
    this.#round += 1;
    void this.#follow(this.#round);
  }

  stop(): void {
    this.#isStopped = true;
    this.#batch.stop();
    this.#leave();
  }

  #leave(): void {
    clearTimeout(this.#timer);
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }

  async #follow(round: number): Promise<void> {
    const snapshot = await this.#snapshot();
    if (this.#isStopped || round !== this.#round) return;
    if (!snapshot) return this.#retry("reconnecting");
    if (isTerminal(snapshot.state)) return;
    const subscription = this.#client
      .subscription(jobEventsSubscription, { jobId: this.#id, after: snapshot.cursor })
      .subscribe((result) => {
        if (result.data) {
          this.#tries = 0;
          this.#tellLive("live");
          this.#batch.add(result.data.jobEvents);
        }
        if (result.error) this.#retry("reconnecting");
        else if (!result.hasNext) this.#retry("live"); // most often the job has ended
      });
    this.#unsubscribe = () => subscription.unsubscribe();
    this.#tellLive("live");
  }

  #retry(state: LiveState): void {
    if (this.#isStopped) return;
    this.#leave();
    this.#tellLive(state);
    this.#timer = setTimeout(() => this.start(), retryMs[Math.min(this.#tries++, retryMs.length - 1)]);
  }

  #take(events: readonly JobEvent[]): void {
    this.#listener.onEvents(events);
    // All are looked at: each notes the state of its stage.
    if (events.filter((event) => this.#bringsReport(event)).length > 0) void this.#snapshot();
  }

  /**
   * Takes a snapshot that is no older than this call. One that is already on its way may have left the API before the
   * event that asks for this one, so it is waited for first; the GraphQL client would answer both with the earlier.
   *
   * @returns undefined when there is no such job, it could not be asked for, or nobody follows it any more
   */
  async #snapshot(): Promise<JobSnapshot | undefined> {
    const earlier = this.#asking;
    if (earlier === null) return this.#ask();
    await earlier;
    return this.#asking ?? this.#ask(); // several that waited share the next one
  }

  #ask(): Promise<JobSnapshot | undefined> {
    const asking = this.#askOnce().finally(() => {
      this.#asking = null;
    });
    this.#asking = asking;
    return asking;
  }

  async #askOnce(): Promise<JobSnapshot | undefined> {
    const result = await askForJob(this.#client, this.#id);
    if (this.#isStopped) return undefined;
    this.#listener.onProblem(result.error ? problemFromGraphql(result.error) : null);
    if (result.error) return undefined;
    const snapshot = result.data?.job ?? undefined;
    this.#listener.onSnapshot(snapshot);
    if (snapshot && isTerminal(snapshot.state)) this.#tellLive("ended");
    return snapshot;
  }

  #tellLive(state: LiveState): void {
    if (!this.#isStopped) this.#listener.onLive(state);
  }

  /**
   * Whether an event says that there is more to read than it carries: reports and results lie in artifacts (a
   * checkpoint changes no report), and a stage that begins or ends changes ranks and attempts.
   */
  #bringsReport(event: JobEvent): boolean {
    if (event.__typename === "ArtifactReady") return event.kind !== "checkpoint";
    if (event.__typename !== "StageProgressed") return event.__typename === "JobStateChanged";
    const state = `${event.attempt} ${event.stageState}`;
    const isNew = this.#stageStates.get(event.stageIndex) !== state;
    this.#stageStates.set(event.stageIndex, state);
    return isNew;
  }
}
