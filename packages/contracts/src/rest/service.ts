import { z } from "zod";
import { route } from "./route.ts";

const tag = "service";
const healthy = z.object({ status: z.literal("ok") }).meta({ id: "Health" });

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
    answers: { 200: { description: "Text of Prometheus", contentTypes: ["text/plain; version=0.0.4; charset=utf-8"] } },
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
