import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { CliError } from "../cli-error.ts";
import type { AddCommand } from "../context.ts";

/** The repository, when the program is run out of it. */
const checkout = fileURLToPath(new URL("../../../../", import.meta.url));

export const addStart: AddCommand = (program, run) => {
  program
    .command("start")
    .description("starts a service of one's own on this machine, in the foreground until Ctrl-C")
    .option("--stop", "stops the one that runs")
    .action(
      run(async ({ streams, output }, { stop = false }: { stop?: boolean }) => {
        if (!existsSync(`${checkout}script/start`)) throw notFromTheRepository();
        const child = spawn("script/start", stop ? ["--stop"] : [], {
          cwd: checkout,
          // Scripts and what they start are stopped together.
          detached: true,
          stdio: ["ignore", "pipe", "pipe"],
        });
        // With --json what the stack prints is no result.
        child.stdout.pipe(output.isJson ? streams.stderr : streams.stdout, { end: false });
        child.stderr.pipe(streams.stderr, { end: false });
        const forward = () => child.pid !== undefined && process.kill(-child.pid, "SIGTERM");
        streams.signal.addEventListener("abort", forward, { once: true });
        try {
          const [code] = (await once(child, "close")) as [number | null];
          const isWanted = code === 0 || streams.signal.aborted;
          if (!isWanted) throw new CliError("refused", "The service did not start; what is printed above says why.");
        } finally {
          streams.signal.removeEventListener("abort", forward);
        }
      }),
    );
};

function notFromTheRepository(): CliError {
  const what = "hopwise start needs the repository, and this program does not lie in it";
  return new CliError("refused", `${what}; in a folder with docker-compose.yml run: docker compose up`);
}
