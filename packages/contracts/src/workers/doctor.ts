import { z } from "zod";
import { workerId } from "./worker-id.ts";

/** Asks the named workers to connect with each other, each with all others. */
export const doctorRequest = z.object({
  /** Secret of this check: who connects must know it. */
  id: z.string().regex(/^[0-9a-f]{32}$/),
  workers: z.array(workerId).min(1),
});
export type DoctorRequest = z.infer<typeof doctorRequest>;

/** Where a worker waits for the others. */
export const doctorListening = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true), address: z.string(), port: z.number().int() }),
  z.object({ ok: z.literal(false), why: z.string() }),
]);
export type DoctorListening = z.infer<typeof doctorListening>;

const connection = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true), roundTripMs: z.number(), mibPerSecond: z.number() }),
  z.object({ ok: z.literal(false), why: z.string() }),
]);
export type DoctorConnection = z.infer<typeof connection>;

/** What one worker found of the others, by their ids. */
export const doctorReport = z.object({
  connections: z.record(z.string(), connection),
  /** Whether it reads in the artifact store what another has written there. */
  sharesStore: z.record(z.string(), z.boolean()),
});
export type DoctorReport = z.infer<typeof doctorReport>;
