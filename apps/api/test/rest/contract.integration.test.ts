import { restRoutes } from "@hopwise/contracts";
import { expect, it } from "vitest";
import { openapiPath } from "../../src/rest/openapi.ts";
import { useApp } from "../support/each-database.ts";

/** Pages to try the API with, and their files. */
const isPage = /^\/(docs|graphql-page)(\/|$)/;

/** Without the dashboard, whose files are routes too. */
const app = useApp({ HOPWISE_WEB_DIST: "/nowhere" });

it("serves exactly the routes of the contract", () => {
  const served = app().server.declaredRoutes.flatMap(({ method, url }) => {
    // Fastify answers HEAD wherever there is a GET.
    const isImplied = method === "HEAD" && url !== "/v1/store/*";
    return isPage.test(url) || isImplied ? [] : [`${method} ${url}`];
  });
  const contract = Object.values(restRoutes).map(({ method, path }) => `${method} ${path}`);
  expect(served.toSorted()).toEqual(contract.toSorted());
});

it("describes every answer and problem of every route in /openapi.json", async () => {
  const { body } = await app().anonymous.get("/openapi.json");
  expect(body.openapi).toBe("3.1.0");
  for (const [name, { method, path, answers }] of Object.entries(restRoutes)) {
    const operation = body.paths[openapiPath(path)][method.toLowerCase()];
    expect(operation.operationId).toBe(name);
    const { responses } = operation;
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(Object.keys(answers)));
    for (const [status, { content = {}, description }] of Object.entries<Described>(responses)) {
      expect(description, `${name} ${status}`).not.toBe("");
      for (const { schema } of Object.values(content)) expect(schema, `${name} ${status}`).toBeDefined();
      if (Number(status) >= 400 && method !== "HEAD") expect(Object.keys(content)).toHaveLength(1);
    }
    expect(responses["400"], name).toBeDefined();
  }
});

interface Described {
  readonly description: string;
  readonly content?: Record<string, { readonly schema: unknown }>;
}
