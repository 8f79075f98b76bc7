import { type DestinationStream, destination } from "pino";

/** What waits for room on the disk; later lines are left out. */
const maxWaitingBytes = 1024 * 1024;

/**
 * Where the log goes: standard output, as a file mostly. A full disk there must not end the service, as an error that
 * nobody listens to would: lines wait in memory, up to a bound, and go out when there is room.
 */
export function logOutput(fd = 1): DestinationStream {
  const output = destination({ dest: fd, sync: true, maxLength: maxWaitingBytes });
  output.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") output.write = () => true; // its reader is gone for good
  });
  // What else is printed there.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  return output;
}
