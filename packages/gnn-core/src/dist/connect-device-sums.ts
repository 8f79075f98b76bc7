import { setTimeout as delay } from "node:timers/promises";
import { activeCuda } from "../backends/active-cuda.ts";
import type { CudaAddon } from "../backends/cuda/addon.ts";
import { native, nativeSync } from "../backends/native/native-error.ts";
import { GnnError } from "../errors/gnn-error.ts";
import { everyRank } from "./agreement.ts";
import type { Collective } from "./collective.ts";
import { DeviceSums } from "./device-sums.ts";

const groupBytes = 128;

/** `sums` is null where there are none: because of `whyNot`, or because there is nothing to connect. */
export interface ConnectedSums {
  readonly sums: DeviceSums | null;
  readonly whyNot: string | null;
}

/** Connects the devices that all ranks compute on, if they do and are several, as `connectDeviceSums` does. */
export async function connectRankDevices(collective: Collective): Promise<ConnectedSums> {
  const cuda = activeCuda();
  if (!cuda || collective.worldSize === 1) return { sums: null, whyNot: null };
  return connectDeviceSums(cuda.addon, collective);
}

/**
 * Connects the devices of all ranks, which all call it at the same place. What one rank cannot, none does.
 *
 * @param collective  joins the ranks' hosts
 * @throws GnnError RANK_TIMEOUT when a rank does not come
 */
export async function connectDeviceSums(addon: CudaAddon, collective: Collective): Promise<ConnectedSums> {
  const { whyNot } = nativeSync(() => addon.describePeers());
  if (!(await everyRank(collective, whyNot === ""))) return without(whyNot);
  const group = await shareGroup(addon, collective);
  const refused = await join(addon, group, collective);
  if (await everyRank(collective, refused === ""))
    return { sums: new DeviceSums(addon, collective.timeoutMs), whyNot: null };
  if (refused === "") addon.leavePeers();
  return without(refused);
}

function without(whyNot: string): ConnectedSums {
  return { sums: null, whyNot: whyNot || "another rank cannot" };
}

/** Rank 0's group, which the others learn as a sum in which they are zeros. */
async function shareGroup(addon: CudaAddon, collective: Collective): Promise<Uint8Array> {
  const bytes = new Float32Array(groupBytes);
  if (collective.rank === 0) bytes.set(nativeSync(() => addon.makePeerGroup()));
  await collective.allReduceSum(bytes);
  return Uint8Array.from(bytes);
}

/** @returns why it was refused; empty when it was not */
async function join(addon: CudaAddon, group: Uint8Array, { rank, worldSize, timeoutMs }: Collective): Promise<string> {
  const controller = new AbortController();
  const joined = native(() => addon.joinPeers(group, rank, worldSize)).then(
    () => "",
    (error: Error) => error.message,
  );
  const late = delay(timeoutMs, null, { signal: controller.signal }).catch(() => null);
  const refused = await Promise.race([joined, late]);
  controller.abort();
  if (refused !== null) return refused;
  throw new GnnError("RANK_TIMEOUT", `Rank ${rank} waited ${timeoutMs} ms for the devices of the other ranks.`);
}
