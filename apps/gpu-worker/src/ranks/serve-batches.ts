import { serveSampler } from "@hopwise/gnn-core/ranks";
import { GnnError, type Registry, type StepComponent } from "@hopwise/gnn-core/spec";
import { type GroupNetwork, portsOf, samplerKey } from "./engine.ts";
import { samplerThreadsOf } from "./libuv-threads.ts";
import type { StartMessage } from "./messages.ts";
import type { PulseCounters } from "./pulse.ts";
import { type OnReport, SamplerReporter } from "./sampler-reporter.ts";

export interface SamplerProcess {
  readonly start: StartMessage;
  readonly step: StepComponent;
  /** The step's options, as it has parsed them */
  readonly options: unknown;
  readonly registry: Registry;
  readonly network: GroupNetwork;
  readonly pulse: PulseCounters;
  readonly onEvent: OnReport;
  readonly signal: AbortSignal;
}

/**
 * This process's part in a step as a sampler: it draws batches until every rank has said that it is done. Told to stop,
 * it still draws for the ranks, which stop together at one step, until they have gone.
 *
 * @throws GnnError RANK_LOST when a rank leaves without a word, CANCELLED when it does so after the group was told to
 * stop
 */
export async function serveBatches(process: SamplerProcess): Promise<void> {
  const { start, step, options, registry, network, pulse, signal } = process;
  if (!step.createSampler)
    throw new GnnError("SPEC_INVALID", `The step ${step.name} draws no batches; set resources.samplers to 0.`, {
      place: { pointer: "/resources/samplers" },
    });
  const reporter = new SamplerReporter(start.member, process.onEvent);
  const made = await step.createSampler({ options, inputs: start.inputs, registry });
  const sampler = pulse.watchingSampler(reporter.counting(made));
  const server = await serveSampler({
    sampler,
    secret: await network.secret(),
    address: network.address,
    ports: portsOf(network),
    threads: samplerThreadsOf(options),
  });
  await network.store.set(samplerKey(start.member.index), new TextEncoder().encode(server.endpoint));
  try {
    await server.served(start.worldSize);
    reporter.report();
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw error;
  } finally {
    await server.close();
  }
}
