import {
  AppError,
  type ExplainQuery,
  type ExplanationAnswer,
  type NeighborsAnswer,
  type NeighborsQuery,
  type PredictionsAnswer,
  type PredictQuery,
} from "@hopwise/contracts";
import type { FastifyBaseLogger } from "fastify";
import type { Viewer } from "../auth/viewer.ts";
import { getJob } from "../jobs/job-queries.ts";
import type { Services } from "../services.ts";
import { CurrentSources } from "./current-sources.ts";
import type { ServeClient } from "./serve-client.ts";
import { type ModelChoice, type Served, servedByJob, servedByModel } from "./served-source.ts";

/** Whose rows are asked about */
export type Asked = { readonly job: string } | ({ readonly model: string } & ModelChoice);

/** Single questions about the rows of jobs and models, which the serving process answers. */
export class Serving {
  readonly #client: ServeClient;
  readonly #current: CurrentSources;

  constructor(client: ServeClient, log: Pick<FastifyBaseLogger, "warn">) {
    this.#client = client;
    this.#current = new CurrentSources({
      warm: ({ source }) => client.ask("/warm", { source }),
      onWarmFailed: (err) => log.warn({ err }, "rows were not loaded; those before go on answering"),
    });
  }

  /**
   * The nearest nodes to a node or a vector.
   *
   * @throws AppError REQUEST_NOT_FOUND, NODE_UNKNOWN, SPEC_INVALID, JOB_WITHOUT_RESULTS, REQUEST_CONFLICT,
   * UPSTREAM_UNAVAILABLE
   */
  async neighbors(services: Services, viewer: Viewer, asked: Asked, query: NeighborsQuery): Promise<NeighborsAnswer> {
    return this.#ask(services, viewer, asked, async (served) => {
      const { neighbors } = await this.#client.ask("/neighbors", { source: served.source, query });
      return { ...from(served), metric: query.metric, neighbors };
    });
  }

  /**
   * What is predicted of some nodes of the stored graph, and of new ones.
   *
   * @param gone aborted when nobody waits for the answer any more
   * @throws AppError as `neighbors`; NODE_EXISTS, NODE_TOO_COSTLY, CANCELLED
   */
  async predict(
    services: Services,
    viewer: Viewer,
    asked: Asked,
    { query, gone }: { readonly query: PredictQuery; readonly gone: AbortSignal },
  ): Promise<PredictionsAnswer> {
    // Rows that are stored are read at once, thousands of times a second: to look whether somebody waits costs more.
    const wait = query.nodes.length > 0 ? gone : undefined;
    return this.#ask(services, viewer, asked, async (served) => {
      const { predictions } = await this.#client.ask("/predict", { source: served.source, query }, wait);
      const ids = [...query.ids, ...query.nodes.map(({ id }) => id)];
      return { ...from(served), predictions: ids.map((id, i) => ({ id, values: {}, ...predictions[i] })) };
    });
  }

  /**
   * Why the model gives a node its class.
   *
   * @param gone aborted when nobody waits for the answer any more
   * @throws AppError as `neighbors`; REQUEST_RATE_LIMITED, CANCELLED
   */
  async explain(
    services: Services,
    viewer: Viewer,
    asked: Asked,
    { query, gone }: { readonly query: ExplainQuery; readonly gone: AbortSignal },
  ): Promise<ExplanationAnswer> {
    return this.#ask(services, viewer, asked, async (served) => {
      const { explanation } = await this.#client.ask("/explain", { source: served.source, query }, gone);
      return { ...from(served), ...explanation };
    });
  }

  close(): void {
    this.#client.close();
  }

  async #ask<T>(services: Services, viewer: Viewer, asked: Asked, work: (served: Served) => Promise<T>): Promise<T> {
    const name = nameOf(asked);
    const look = async () =>
      "job" in asked
        ? servedByJob(services, await getJob(services, viewer, asked.job))
        : servedByModel(services, viewer, asked.model, asked);
    const served = await this.#current.get(name, viewer, look);
    try {
      return await work(served);
    } catch (error) {
      // What answered so far may have been deleted.
      if (error instanceof AppError && error.problem.code.startsWith("ARTIFACT_")) this.#current.forget(name);
      throw error;
    }
  }
}

function nameOf(asked: Asked): string {
  return "job" in asked
    ? `job ${asked.job}`
    : `model ${asked.model} ${asked.version ?? ""} ${JSON.stringify(asked.dataset ?? null)}`;
}

function from({ job, dataset, model }: Served) {
  return { job, dataset, model };
}
