import { setTimeout as delay } from "node:timers/promises";
import type { DeviceUse, WorkerDevice } from "@hopwise/contracts";
import type { Logger } from "../log.ts";

export interface DeviceRosterOptions {
  /** On which the backend was tried */
  readonly devices: readonly WorkerDevice[];
  /** Rejects while the backend does not compute on the device. */
  readonly tryAgain: (device: WorkerDevice) => Promise<unknown>;
  /** What the device does now, as far as it is known */
  readonly useOf: (device: WorkerDevice) => DeviceUse | null;
  readonly log: Logger;
  readonly retryMs?: number;
}

/** The devices that this worker has to give: those that it was started with, but for those that have failed since. */
export class DeviceRoster {
  readonly #options: DeviceRosterOptions;
  readonly #suspects = new Set<WorkerDevice>();

  constructor(options: DeviceRosterOptions) {
    this.#options = options;
  }

  /** All that it was started with, whatever became of them */
  get known(): readonly WorkerDevice[] {
    return this.#options.devices;
  }

  get current(): readonly WorkerDevice[] {
    const { devices, useOf } = this.#options;
    return devices.filter((device) => !this.#suspects.has(device)).map((device) => ({ ...device, use: useOf(device) }));
  }

  /**
   * Takes a device off the roster on which a rank has failed, until the backend computes on it again.
   *
   * @param isLost  the device itself is gone: tried again after a while, and not at once
   */
  suspect(uuid: string, isLost: boolean): void {
    const device = this.#options.devices.find((each) => each.uuid === uuid);
    if (!device || this.#suspects.has(device)) return;
    this.#suspects.add(device);
    this.#options.log.warn(
      { uuid, name: device.name },
      "a rank failed on a device; no stage gets it until it is tried again",
    );
    void this.#restore(device, isLost);
  }

  async #restore(device: WorkerDevice, isLost: boolean): Promise<void> {
    const { tryAgain, log, retryMs = 60_000 } = this.#options;
    const { uuid, name } = device;
    for (let tries = isLost ? 1 : 0; ; tries++) {
      if (tries > 0) await delay(retryMs, undefined, { ref: false });
      try {
        await tryAgain(device);
        this.#suspects.delete(device);
        log.info({ uuid, name }, "the device computes again");
        return;
      } catch (err) {
        log.warn({ uuid, name, err }, "the device still cannot be used");
      }
    }
  }
}
