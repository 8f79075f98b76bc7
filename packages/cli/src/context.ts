import type { HopwiseClient } from "@hopwise/client";
import type { Command } from "commander";
import type { CliEnv } from "./env.ts";
import type { Output } from "./output/output.ts";

/** The streams and settings of one run. */
export interface CliStreams {
  readonly env: CliEnv;
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
  /** Ends with Ctrl-C. */
  readonly signal: AbortSignal;
}

/** What every command works with. */
export interface CliContext {
  readonly streams: CliStreams;
  readonly output: Output;
  /** Name of the profile that is used */
  readonly profile: string;
  /** The address that goes before the profile's, if one is given */
  readonly url: string | undefined;
  /** Opens the service of the profile that is used. @throws CliError when there is none, or no key for it */
  readonly client: () => Promise<HopwiseClient>;
}

/** Gives a command what it works with. */
export type Run = <A extends unknown[]>(
  work: (context: CliContext, ...args: A) => Promise<void>,
) => (...args: A) => Promise<void>;

/** Adds one command to the program. */
export type AddCommand = (program: Command, run: Run) => void;
