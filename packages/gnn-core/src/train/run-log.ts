import type { StepEvent } from "../spec/step-event.ts";

type Fields = Readonly<Record<string, unknown>>;

const maxEpochLines = 200;

/**
 * The story of a training run as log lines: constant messages, everything that varies in the fields. Rank 0 tells it.
 */
export class RunLog {
  readonly #rank: number;
  readonly #numEpochs: number;
  readonly #onEvent: (event: StepEvent) => void;

  constructor(rank: number, numEpochs: number, onEvent: (event: StepEvent) => void) {
    this.#rank = rank;
    this.#numEpochs = numEpochs;
    this.#onEvent = onEvent;
  }

  info(message: string, fields: Fields): void {
    this.#write("info", message, fields);
  }

  warn(message: string, fields?: Fields): void {
    this.#write("warn", message, fields);
  }

  /**
   * A line of a finished epoch; a run of more than 200 epochs has one for the first, the last and about 100 between.
   */
  epoch(epoch: number, fields: Fields): void {
    if (this.#isTold(epoch)) this.#write("info", "Epoch finished", { epoch, ...fields });
  }

  /** A line of a stored checkpoint, for the same epochs. */
  checkpoint(epoch: number, fields: Fields): void {
    if (this.#isTold(epoch)) this.#write("info", "Checkpoint written", { epoch, ...fields });
  }

  #isTold(epoch: number): boolean {
    const every = this.#numEpochs <= maxEpochLines ? 1 : Math.ceil(this.#numEpochs / (maxEpochLines / 2));
    return epoch === 1 || epoch === this.#numEpochs || epoch % every === 0;
  }

  #write(level: "info" | "warn", message: string, fields?: Fields): void {
    if (this.#rank !== 0) return;
    this.#onEvent({ type: "log", level, rank: 0, message, ...(fields && { fields: { ...fields } }) });
  }
}
