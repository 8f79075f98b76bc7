import { AppError, limits, type PredictQuery, type ServeAnswer, type ServedSource } from "@hopwise/contracts";
import type { Prediction, ServedRows } from "@hopwise/gnn-core/serving";
import type { WarmRows } from "./warm-rows.ts";

type Predictions = ServeAnswer<"/predict">["predictions"];

const most = { edges: limits.neighborhoodEdges, numbers: limits.neighborhoodNumbers };

/**
 * What is predicted of stored nodes, read from the rows of a job, then of new ones, computed by its model.
 *
 * @param signal ends it before new ones are computed
 * @throws what `ServedRows` and `ServedModel` throw
 */
export async function predictNodes(
  warm: WarmRows,
  source: ServedSource,
  query: PredictQuery,
  signal: AbortSignal,
): Promise<Predictions> {
  const { ids, nodes, embeddings } = query;
  const rows = await warm.take(source);
  // A task that predicts nothing still has embeddings.
  if (!embeddings) rows.assertPredicts();
  const vectors = embeddings ? rows.embeddingsOf(ids) : null;
  const values: readonly Prediction[] = rows.predicts ? rows.predict(ids) : ids.map(() => ({}));
  const stored = values.map((one, i) => ({ values: one, ...(vectors && { embedding: [...vectors[i]!] }) }));
  return nodes.length === 0 ? stored : [...stored, ...(await predictNew(warm, source, rows, { ...query, signal }))];
}

async function predictNew(
  warm: WarmRows,
  source: ServedSource,
  rows: ServedRows,
  { nodes, embeddings: areAsked, signal }: PredictQuery & { readonly signal: AbortSignal },
): Promise<Predictions> {
  const model = await warm.takeModel(source);
  if (signal.aborted) throw new AppError("CANCELLED", "Whoever asked has gone before there was an answer.");
  const { embeddings, outputs } = await model.infer(nodes, (id) => rows.rowOf(id), most);
  // Where nothing is predicted, the output is the embedding.
  const vectors = rows.predicts ? embeddings : outputs;
  const values = rows.predicts ? await rows.predictionsOf(outputs, nodes.length) : nodes.map(() => ({}));
  const dim = vectors.length / nodes.length;
  return values.map((one, i) => ({
    values: one,
    ...(areAsked && { embedding: [...vectors.subarray(i * dim, (i + 1) * dim)] }),
  }));
}
