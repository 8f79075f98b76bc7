import { AppError } from "@hopwise/contracts";
import type { FastifyInstance } from "fastify";
import fp from "fastify-plugin";
import { parse, YAMLParseError } from "yaml";

const yamlTypes = ["application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml"];

/** JSON and YAML bodies; a syntax error says its line. */
export const bodyParsers = fp(async (app: FastifyInstance) => {
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser("application/json", { parseAs: "string" }, async (_request: unknown, body: string) => {
    if (body === "") return undefined;
    try {
      return JSON.parse(body);
    } catch (cause) {
      throw new AppError("REQUEST_INVALID", `The body is not JSON: ${(cause as Error).message}.`, { cause });
    }
  });
  app.addContentTypeParser(yamlTypes, { parseAs: "string" }, async (_request: unknown, body: string) => {
    try {
      return parse(body);
    } catch (cause) {
      const line = cause instanceof YAMLParseError ? cause.linePos?.[0].line : undefined;
      throw new AppError("REQUEST_INVALID", `The body is not YAML: ${(cause as Error).message.split("\n")[0]}`, {
        cause,
        place: { line },
      });
    }
  });
});
