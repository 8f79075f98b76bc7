import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { kill, marker, processesOf } from "./processes.mjs";

/**
 * Runs a command with this process's input and output; when its time is over, ends it and everything it started.
 * @param {readonly string[]} command
 * @param {{ seconds: number, env?: Record<string, string>, leavesNothing?: boolean, onSpawn?: (pid: number) => void }}
 * options
 *   `leavesNothing`: what it left running is ended too, so that nothing keeps a pipe open behind it
 * @returns {Promise<{ status: number, isOver: boolean }>} `isOver`: it was ended because its time was over
 */
export async function runWithin([file, ...args], { seconds, env = {}, leavesNothing = false, onSpawn }) {
  const mark = randomUUID();
  const child = spawn(file, args, { stdio: "inherit", env: { ...process.env, ...env, [marker]: mark } });
  const ended = new Promise((resolve) => {
    child.once("error", (error) => {
      console.error(error.message);
      resolve(127);
    });
    child.once("exit", (code, signal) => resolve(signal ? 128 : code));
  });
  const end = () => {
    if (child.pid === undefined) return;
    kill(processesOf(child.pid, mark));
    child.kill("SIGKILL");
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.once(signal, () => {
      end();
      process.exit(130);
    });
  }
  if (child.pid !== undefined) onSpawn?.(child.pid);
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    end();
  }, seconds * 1000);
  const status = await ended;
  clearTimeout(timer);
  if (leavesNothing) end();
  return { status, isOver };
}
