import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { DeviceUse, WorkerDevice } from "@hopwise/contracts";
import { devicesProgram } from "@hopwise/gnn-core/ranks";
import type { Logger } from "../log.ts";
import { parseDeviceLine, useOfLine } from "./device-lines.ts";

const watchMs = 5000;

/** What this worker's GPUs do, as their driver tells every few seconds; without the program nothing is known. */
export class DeviceWatch {
  readonly #devices: readonly WorkerDevice[];
  readonly #child: ChildProcess | null;
  readonly #uses = new Map<string, DeviceUse>();

  /** Looks at nothing where there is no GPU to look at. */
  constructor(devices: readonly WorkerDevice[], log: Logger, program = devicesProgram) {
    this.#devices = devices.filter(({ kind, migParent, isEmulated }) => kind === "cuda" && !migParent && !isEmulated);
    this.#child = this.#devices.length === 0 ? null : this.#start(program, log);
  }

  /** As last told; null: not known, which it is of slices of a GPU too */
  useOf({ uuid }: WorkerDevice): DeviceUse | null {
    return (uuid === null ? null : this.#uses.get(uuid)) ?? null;
  }

  /** The program ends with its input, so with this process too, however that ends. */
  close(): void {
    this.#child?.stdin?.end();
  }

  #start(program: string, log: Logger): ChildProcess {
    const child = spawn(program, ["--json", "--watch", String(watchMs)], { stdio: ["pipe", "pipe", "ignore"] });
    child.on("error", (err) => log.debug({ err }, "what devices do is not known"));
    child.on("close", () => this.#uses.clear()); // what nobody renews is not shown
    child.stdin.on("error", () => undefined);
    createInterface({ input: child.stdout }).on("line", (text) => this.#hear(text));
    return child;
  }

  #hear(text: string): void {
    const line = parseDeviceLine(text);
    if (line?.kind !== "use") return;
    const device = this.#devices.find(({ index }) => index === line.index);
    if (device && device.uuid !== null) this.#uses.set(device.uuid, useOfLine(line, device));
  }
}
