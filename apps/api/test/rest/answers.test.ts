import { Readable } from "node:stream";
import { route } from "@hopwise/contracts";
import Fastify from "fastify";
import fp from "fastify-plugin";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { zodValidation } from "../../src/plugins/zod-validation.ts";
import { serve } from "../../src/rest/serve.ts";
import { checkAnswers } from "../support/check-answers.ts";

const thing = z.object({ id: z.string(), size: z.number().int() });
const events = z.object({ cursor: z.string() });
const declared = { tag: "canary", summary: "", access: "open" } as const;
const routes = {
  readThing: route({ ...declared, method: "GET", path: "/thing", answers: { 200: thing } }),
  makeThing: route({ ...declared, method: "POST", path: "/thing", answers: { 201: thing } }),
  follow: route({
    ...declared,
    method: "GET",
    path: "/events",
    answers: {
      200: { description: "", contentTypes: ["text/event-stream"], schemas: { "text/event-stream": events } },
    },
  }),
};

/** A service of three routes whose answers are watched as in all tests of the API. */
async function watched() {
  const faults: string[] = [];
  const app = Fastify();
  await app.register(fp(checkAnswers(faults, routes)));
  await app.register(zodValidation);
  return { app, faults };
}

describe("what leaves a route", () => {
  it("is what the schema of its answer names, with the status of its success", async () => {
    const { app, faults } = await watched();
    const row = { id: "a", size: 3, requestHash: "secret", deletedAt: null };
    serve(app, routes.makeThing, async () => row);
    const answer = await app.inject({ method: "POST", url: "/thing" });
    expect([answer.statusCode, answer.json()]).toEqual([201, { id: "a", size: 3 }]);
    expect(faults).toEqual([]);
  });

  it("is an error of the service when it is not as the schema has it", async () => {
    const { app } = await watched();
    serve(app, routes.readThing, async () => ({ id: "a", size: "large" }) as never);
    expect((await app.inject("/thing")).statusCode).toBe(500);
  });
});

describe("the check of answers in tests", () => {
  it.each([
    ["a column too many", 200, { id: "a", size: 3, hash: "x" }, /must NOT have additional properties/],
    ["a field too few", 200, { id: "a" }, /must have required property 'size'/],
    ["a status that is not described", 202, { id: "a", size: 3 }, /no such status/],
    ["a problem whose code is not of this route", 404, { code: "JOB_FINISHED" }, /no such status/],
  ])("notices %s", async (_what, status, body, fault) => {
    const { app, faults } = await watched();
    app.get("/thing", async (_request, reply) =>
      reply.code(status).type("application/json").send(JSON.stringify(body)),
    );
    await app.inject("/thing");
    expect(faults).toEqual([expect.stringMatching(fault)]);
  });

  it("notices a problem with a code that the route does not name", async () => {
    const { app, faults } = await watched();
    const problem = { type: "", title: "", status: 500, detail: "", retryable: false, code: "TRAIN_DIVERGED" };
    app.get("/thing", async (_request, reply) =>
      reply.code(500).type("application/problem+json").send(JSON.stringify(problem)),
    );
    await app.inject("/thing");
    expect(faults).toEqual([expect.stringMatching(/code must be equal to one of the allowed values/)]);
  });

  it("notices another content type, and an event whose data is not as described", async () => {
    const { app, faults } = await watched();
    app.get("/thing", async (_request, reply) => reply.type("text/html").send("<p>"));
    app.get("/events", async (_request, reply) =>
      reply.type("text/event-stream").send(Readable.from(['data: {"cursor":"1"}\n\n', 'data: {"cursor":2}\n\n'])),
    );
    await app.inject("/thing");
    await app.inject("/events");
    expect(faults).toEqual([
      expect.stringMatching(/no answer of the type "text\/html"/),
      expect.stringMatching(/cursor must be string/),
    ]);
  });
});
