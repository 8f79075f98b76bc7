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

/** Routes declare params, query and body as zod schemas; what does not fit is REQUEST_INVALID with its place. */
export const zodValidation = fp(async (app: FastifyInstance) => {
  app.setValidatorCompiler(compiler);
  // Replies are typed by their services; serialising by schema would hide what a schema forgets.
  app.setSerializerCompiler(() => (value) => JSON.stringify(value));
});

function invalid(error: z.ZodError, part: string): AppError {
  const { pointer, message } = schemaIssue(error);
  const place = part === "body" ? { pointer } : { field: pointer.slice(1).replaceAll("/", ".") };
  return new AppError("REQUEST_INVALID", `${part}${pointer}: ${message}`, { cause: error, place });
}
