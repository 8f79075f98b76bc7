import { asTrained, graphReading } from "@hopwise/gnn-core/spec";
import { z } from "zod";
import { artifactRef } from "../artifact-ref.ts";
import { explained, explainQuery, neighborsQuery, predictQuery } from "../rest/serving.ts";

/**
 * What the serving process answers from: a job's `remapped` artifact, the graph whose ids name the rows, the model that
 * made them, and the parts of that job; null: they are not stored any more. `reading`: how the job read the graph.
 */
export const servedSource = z.strictObject({
  remapped: artifactRef,
  graph: artifactRef,
  model: artifactRef.nullable().default(null),
  parts: artifactRef.nullable().default(null),
  reading: graphReading.default(asTrained),
});
export type ServedSource = z.infer<typeof servedSource>;

/** What the API asks of the serving process, by path. The API has seen to it that whoever asks may know. */
export const serveCalls = {
  "/neighbors": {
    body: z.strictObject({ source: servedSource, query: neighborsQuery }),
    answer: z.object({ neighbors: z.array(z.object({ id: z.string(), score: z.number() })) }),
  },
  "/predict": {
    body: z.strictObject({ source: servedSource, query: predictQuery }),
    answer: z.object({
      predictions: z.array(
        z.object({
          values: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
          embedding: z.array(z.number()).optional(),
        }),
      ),
    }),
  },
  "/explain": {
    body: z.strictObject({ source: servedSource, query: explainQuery }),
    answer: z.object({ explanation: explained }),
  },
  /** Has the rows loaded, so that the next question finds them warm. */
  "/warm": { body: z.strictObject({ source: servedSource }), answer: z.object({ numNodes: z.number().int() }) },
} as const;
export type ServePath = keyof typeof serveCalls;
export type ServeBody<P extends ServePath> = z.input<(typeof serveCalls)[P]["body"]>;
export type ServeAnswer<P extends ServePath> = z.infer<(typeof serveCalls)[P]["answer"]>;
