import { AppError, schemaIssue } from "@hopwise/contracts";
import type { FastifyInstance, FastifySchemaCompiler } from "fastify";
import fp from "fastify-plugin";
import { z } from "zod";

const compiler: FastifySchemaCompiler<unknown> = ({ schema, httpPart }) => {
  // Mercurius brings a JSON Schema of its own, and then checks every request itself.
  if (!(schema instanceof z.ZodType)) return (value) => ({ value });
  return (value) => {
    const parsed = schema.safeParse(value ?? {});
    return parsed.success ? { value: parsed.data } : { error: invalid(parsed.error, httpPart ?? "body") };
  };
};

/**
 * Routes declare params, query, body and answers as zod schemas. What a request does not fit is REQUEST_INVALID with
 * its place; of an answer, what its schema names is sent.
 */
export const zodValidation = fp(async (app: FastifyInstance) => {
  app.setValidatorCompiler(compiler);
  app.setSerializerCompiler(({ schema }) => {
    // Mercurius brings a JSON Schema of its own.
    if (!(schema instanceof z.ZodType)) return (value) => JSON.stringify(value);
    // What the schema does not name stays here; an answer that does not fit it is a fault of ours, and INTERNAL.
    return (value) => JSON.stringify(schema.parse(value));
  });
});

function invalid(error: z.ZodError, part: string): AppError {
  const { pointer, message } = schemaIssue(error);
  const place = part === "body" ? { pointer } : { field: pointer.slice(1).replaceAll("/", ".") };
  return new AppError("REQUEST_INVALID", `${part}${pointer}: ${message}`, { cause: error, place });
}
