import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { FolderInUse, type FolderLock, isDiskFull, lockFolder } from "@hopwise/artifacts";
import { endProcess, isRunning, type ProcessId, processId } from "./process-id.ts";

/** What `stack.json` says of the stack in a data folder. */
export interface StackState {
  readonly supervisor: ProcessId;
  readonly services: Readonly<Record<string, ProcessId>>;
  readonly isReady: boolean;
}

/** The stack that runs in this folder, if one does. */
export function runningStack(file: string): StackState | null {
  const state = readState(file);
  return state && isRunning(state.supervisor) ? state : null;
}

/** The folder's only stack: holds it while it runs, and notes in `stack.json` what a later one may have to clean up. */
export class StackLock {
  readonly #file: string;
  readonly #folder: FolderLock;
  #state: StackState;

  private constructor(file: string, folder: FolderLock, state: StackState) {
    this.#file = file;
    this.#folder = folder;
    this.#state = state;
  }

  /**
   * Takes the folder. Services that a killed supervisor left behind are ended first.
   *
   * @throws Error when another stack runs there
   */
  static async take(file: string): Promise<StackLock> {
    const self = processId(process.pid);
    if (!self) throw new Error("The stack needs /proc (Linux); elsewhere use docker compose.");
    const folder = await lockFolder(`${file}.lock`).catch((error: unknown) => {
      if (!(error instanceof FolderInUse)) throw error;
      throw new Error(`A stack already runs in ${dirname(file)}: ${error.message}`);
    });
    const orphans = Object.values(readState(file)?.services ?? {});
    await Promise.all(orphans.map((orphan) => endProcess(orphan, 5000)));
    const lock = new StackLock(file, folder, { supervisor: self, services: {}, isReady: false });
    lock.#write(lock.#state);
    return lock;
  }

  noteService(name: string, pid: number): void {
    const id = processId(pid);
    if (id) this.#write({ ...this.#state, services: { ...this.#state.services, [name]: id } });
  }

  noteReady(): void {
    this.#write({ ...this.#state, isReady: true });
  }

  async release(): Promise<void> {
    rmSync(this.#file, { force: true });
    await this.#folder.release();
  }

  /** On a full disk the file stays as it was: a supervisor that ended for it would take nobody's place. */
  #write(state: StackState): void {
    this.#state = state;
    try {
      writeFileSync(`${this.#file}.new`, JSON.stringify(state), { mode: 0o600 });
      renameSync(`${this.#file}.new`, this.#file);
    } catch (error) {
      if (!isDiskFull(error)) throw error;
    }
  }
}

function readState(file: string): StackState | null {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as StackState;
  } catch {
    return null; // none, or one that died while it wrote its first line
  }
}
