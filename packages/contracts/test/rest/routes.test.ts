import { restRoutes } from "@hopwise/contracts";
import { expect, test } from "vitest";
import { z } from "zod";

const routes = Object.entries(restRoutes);

test("no two routes have one method and path", () => {
  const addresses = routes.map(([, { method, path }]) => `${method} ${path}`);
  expect(new Set(addresses).size).toBe(addresses.length);
});

test.each(routes)("%s can be described: each of its JSON answers has a JSON Schema", (_name, { answers }) => {
  for (const answer of Object.values(answers)) {
    if (!(answer instanceof z.ZodType)) continue;
    expect(z.toJSONSchema(answer, { io: "output" })).toHaveProperty("$schema");
  }
});

test.each(routes)("%s names exactly the parameters of its path", (_name, { path, ...declared }) => {
  const named = [...path.matchAll(/:(\w+)|(\*)/g)].map(([, name, rest]) => name ?? rest);
  const params = "params" in declared ? Object.keys(declared.params.shape) : [];
  expect(params).toEqual(named);
});
