/** Epochs in a row after which growth is no accident: optimizers and caches make what they keep in the first. */
const epochsUntilAlarm = 3;

/** Notices when every epoch leaves tensors behind, which would fill the memory in a long run. */
export class LeakAlarm {
  #last: number | null = null;
  #growing = 0;
  #isTold = false;

  /**
   * @param numTensors tensors alive after an epoch
   * @returns tensors that the last epoch left behind when it was the third in a row to leave some, told once; else null
   */
  afterEpoch(numTensors: number): number | null {
    const left = this.#last === null ? 0 : numTensors - this.#last;
    this.#last = numTensors;
    this.#growing = left > 0 ? this.#growing + 1 : 0;
    if (this.#growing < epochsUntilAlarm || this.#isTold) return null;
    this.#isTold = true;
    return left;
  }
}
