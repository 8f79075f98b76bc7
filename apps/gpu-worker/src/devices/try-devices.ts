import type { WorkerDevice } from "@hopwise/contracts";
import type { Env } from "../env.ts";
import { deviceEnvironment } from "../ranks/device-environment.ts";
import { type TrialOptions, tryBackendInChild } from "./backend-trial.ts";
import { emulatedDevices } from "./emulated-devices.ts";
import { type DeviceFinding, findDevices } from "./find-devices.ts";
import { cpuDevice, unlistedDevice, visibleDevices } from "./worker-devices.ts";

export interface TryDevicesOptions extends Omit<TrialOptions, "env"> {
  readonly env: Pick<Env, "engine" | "rankEnvironment" | "emulatedDevices">;
  readonly workerId: string;
  readonly find?: () => DeviceFinding;
}

/** Each loads a backend of some hundred megabytes. */
const trialsAtOnce = 4;

/**
 * Has the backend compute on each device that it could be given, in processes as steps run in.
 *
 * @returns those on which it has: what the worker may announce
 * @throws AppError of the first trial when it has computed on none
 */
export async function tryDevices(options: TryDevicesOptions): Promise<readonly WorkerDevice[]> {
  const { env, workerId, log, find = findDevices } = options;
  const { backend, tensorflowDevice } = env.engine;
  if (backend === "native" || backend === "cpu" || (backend === "tensorflow" && tensorflowDevice === "cpu")) {
    await tryBackendInChild(options);
    return [cpuDevice()];
  }
  const candidates = env.emulatedDevices
    ? emulatedDevices(env.emulatedDevices, workerId)
    : visibleDevices(find().devices, env.rankEnvironment["CUDA_VISIBLE_DEVICES"]);
  if (candidates.length === 0) {
    await tryBackendInChild(options);
    return [unlistedDevice(workerId)];
  }
  const fit: WorkerDevice[] = [];
  const failures: unknown[] = [];
  for (let first = 0; first < candidates.length; first += trialsAtOnce) {
    const some = candidates.slice(first, first + trialsAtOnce);
    const trials = await Promise.allSettled(some.map((device) => tryDevice(device, options)));
    for (const [i, trial] of trials.entries()) {
      const device = some[i] as WorkerDevice;
      if (trial.status === "fulfilled") fit.push(device);
      else failures.push(trial.reason);
      const { uuid, name } = device;
      if (trial.status === "rejected") log.warn({ uuid, name, err: trial.reason }, "a device cannot be used");
    }
  }
  if (fit.length === 0) throw failures[0];
  return fit;
}

/** @throws AppError when the backend does not compute on it */
export async function tryDevice({ uuid }: WorkerDevice, options: TryDevicesOptions): Promise<void> {
  const { env, ...rest } = options;
  await tryBackendInChild({
    ...rest,
    env: { ...env, rankEnvironment: deviceEnvironment(env.rankEnvironment, uuid) },
  });
}
