import { setTimeout as delay } from "node:timers/promises";
import type { CudaAddon } from "../backends/cuda/addon.ts";
import type { FloatsHandle } from "../backends/cuda/memory-addon.ts";
import { native, nativeSync } from "../backends/native/native-error.ts";
import { GnnError } from "../errors/gnn-error.ts";

/** Sums that may be under way before the host waits for the first of them: enough that the device never waits. */
const maxUnderWay = 2;
const lookEveryMs = 1000;

/**
 * Sums over the ranks of a job, from device to device: enqueued behind the kernels that make what is added up, read by
 * those behind it. The host learns of a sum only by a flag within it, some sums later.
 */
export class DeviceSums {
  /** "NCCL 2.30.7" */
  readonly name: string;
  readonly #addon: CudaAddon;
  readonly #timeoutMs: number;
  readonly #flags: Promise<number>[] = [];
  #isClosed = false;

  /**
   * @param addon      that of a device which has joined its peers (`connectDeviceSums`)
   * @param timeoutMs  how long a sum waits for another rank
   */
  constructor(addon: CudaAddon, timeoutMs: number) {
    this.name = addon.describePeers().name;
    this.#addon = addon;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Enqueues the sum. Every rank calls it for the same sums in the same order.
   *
   * @param flag  one of the values
   * @returns what the flag came to `maxUnderWay` sums ago, the same on every rank; 0 before there was such a sum
   * @throws GnnError RANK_LOST, RANK_TIMEOUT when a rank has not taken part in that sum; then all sums are over
   */
  async add(values: FloatsHandle, flag: FloatsHandle): Promise<number> {
    this.enqueue(values);
    this.#flags.push(this.#read(flag));
    return this.#flags.length > maxUnderWay ? this.#inTime(this.#flags.shift() as Promise<number>) : 0;
  }

  /**
   * Enqueues a sum of which the host asks nothing, in the order that `add` has.
   *
   * @throws GnnError RANK_LOST when a rank is known to be lost; then all sums are over
   */
  enqueue(values: FloatsHandle): void {
    this.#requireHope(0);
    nativeSync(() => this.#addon.addOverPeers(values));
  }

  /** Waits for all sums. @returns the sum of their flags @throws GnnError as `add` does */
  async settle(): Promise<number> {
    let sum = 0;
    for (const flag of this.#flags.splice(0)) sum += await this.#inTime(flag);
    return sum;
  }

  /** Leaves the group. What is still under way, after a failure say, is given up. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#flags.length > 0) this.#addon.abortPeers();
    else this.#addon.leavePeers();
  }

  #read(flag: FloatsHandle): Promise<number> {
    const value = new Float32Array(1);
    const read = native(() => this.#addon.downloadAsync(flag, value)).then(() => value[0] as number);
    read.catch(() => undefined); // whoever waits for it hears of it
    return read;
  }

  async #inTime(flag: Promise<number>): Promise<number> {
    const controller = new AbortController();
    const { signal } = controller;
    try {
      for (let waitedMs = 0; ; waitedMs += lookEveryMs) {
        const value = await Promise.race([flag, delay(lookEveryMs, null, { signal })]);
        if (value !== null) return value;
        this.#requireHope(waitedMs + lookEveryMs);
      }
    } finally {
      controller.abort();
    }
  }

  #requireHope(waitedMs: number): void {
    const failure = this.#addon.failureOfPeers();
    if (failure === "" && waitedMs < this.#timeoutMs) return;
    this.#isClosed = true;
    this.#addon.abortPeers();
    if (failure !== "") throw new GnnError("RANK_LOST", `${this.name} lost another rank: ${failure}.`);
    const message = `A sum by ${this.name} waited ${waitedMs} ms for another rank.`;
    throw new GnnError("RANK_TIMEOUT", message);
  }
}
