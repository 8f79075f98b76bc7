import { isTerminal } from "@hopwise/contracts/jobs/terminal-states";

interface ExportingJob {
  readonly state: string;
  readonly spec: unknown;
}

/** Whether a job that goes on will make a format by itself, as its `outputs` say: nobody has to ask for it. */
export function isOwed({ state, spec }: ExportingJob, kind: "EMBEDDINGS" | "PREDICTIONS", format: string): boolean {
  if (isTerminal(state)) return false;
  const outputs = (spec as { outputs?: Readonly<Record<string, { formats?: readonly string[] }>> } | null)?.outputs;
  return outputs?.[kind.toLowerCase()]?.formats?.includes(format) ?? false;
}
