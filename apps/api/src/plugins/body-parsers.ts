import { limits } from "@hopwise/contracts";
import type { FastifyInstance } from "fastify";
import fp from "fastify-plugin";
import { parseJson } from "../input/parse-json.ts";
import { parseYaml } from "../input/parse-yaml.ts";
import { requireSoundNames } from "../input/require-sound.ts";

const yamlTypes = ["application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml"];

/** JSON bodies, and what is asked of every path and query; nothing is parsed before the route knows who asks. */
export const bodyParsers = fp(async (app: FastifyInstance) => {
  app.removeContentTypeParser(["application/json", "text/plain"]);
  app.addContentTypeParser("application/json", { parseAs: "string" }, async (_request: unknown, body: string) =>
    body === "" ? undefined : parseJson(body),
  );
  app.addHook("preValidation", async ({ params, query }) => {
    requireSoundNames("The path's", params);
    requireSoundNames("The query's", query);
  });
});

/** Lets the routes of this scope, which take specs, be sent YAML as well. */
export function acceptYaml(scope: FastifyInstance): void {
  const options = { parseAs: "string" as const, bodyLimit: limits.yamlBodyBytes };
  scope.addContentTypeParser(yamlTypes, options, async (_request: unknown, body: string) => parseYaml(body));
}
