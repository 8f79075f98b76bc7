import { z } from "zod";
import { errorCodes } from "../errors/codes.ts";
import { problem } from "../errors/problem.ts";
import { route } from "./route.ts";

const tag = "service";
const healthy = z.object({ status: z.literal("ok") }).meta({ id: "Health" });

const graphqlRequest = z.object({
  query: z.string().optional(),
  operationName: z.string().nullable().optional(),
  variables: z.record(z.string(), z.unknown()).nullable().optional(),
});

const graphqlAnswer = z
  .object({
    data: z.record(z.string(), z.unknown()).nullable().optional(),
    errors: z
      .array(
        z.object({
          message: z.string(),
          locations: z.array(z.object({ line: z.number(), column: z.number() })).optional(),
          path: z.array(z.union([z.string(), z.number()])).optional(),
          extensions: problem.omit({ detail: true }).describe("The problem; its detail is the message"),
        }),
      )
      .optional(),
  })
  .meta({ id: "GraphQLAnswer" });

/** An operation that has no data is answered with the status of its first problem. */
const graphqlAnswers = Object.fromEntries(
  [200, ...new Set(Object.values(errorCodes).map(({ status }) => status))].map((status) => [status, graphqlAnswer]),
);

/** GraphQL over HTTP, whose operations are described by its own schema (GraphQL's introspection). */
export const graphqlRoutes = {
  postGraphql: route({
    method: "POST",
    path: "/graphql",
    tag,
    summary: "A query or mutation of GraphQL",
    body: graphqlRequest,
    answers: graphqlAnswers,
  }),
  getGraphql: route({
    method: "GET",
    path: "/graphql",
    tag,
    summary: "A query of GraphQL, or a socket for subscriptions (graphql-transport-ws)",
    query: z.object({
      query: z.string().optional(),
      operationName: z.string().optional(),
      variables: z.string().optional().describe("As JSON"),
    }),
    answers: { ...graphqlAnswers, 101: { description: "The connection is a socket now" } },
  }),
};

export const serviceRoutes = {
  isAlive: route({
    method: "GET",
    path: "/healthz",
    tag,
    summary: "The process answers",
    access: "open",
    answers: { 200: healthy },
  }),
  isReady: route({
    method: "GET",
    path: "/readyz",
    tag,
    summary: "The database and Redis answer too",
    access: "open",
    answers: { 200: healthy },
  }),
  readMetrics: route({
    method: "GET",
    path: "/metrics",
    tag,
    summary: "Prometheus metrics, for an admin's key or HOPWISE_METRICS_TOKEN",
    answers: { 200: { description: "Text of Prometheus", contentTypes: ["text/plain"] } },
  }),
  readOpenApi: route({
    method: "GET",
    path: "/openapi.json",
    tag,
    summary: "This document",
    access: "open",
    answers: { 200: z.record(z.string(), z.unknown()) },
  }),
};
