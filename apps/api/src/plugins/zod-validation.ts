import { AppError } from "@hopwise/contracts";
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
  const [issue] = error.issues;
  const path = (issue?.path ?? []).map(String);
  const more = error.issues.length > 1 ? ` (and ${error.issues.length - 1} more)` : "";
  const detail = `${part}${path.map((name) => `/${name}`).join("")}: ${issue?.message ?? "not valid"}${more}`;
  const place = part === "body" ? { pointer: path.map((name) => `/${name}`).join("") } : { field: path.join(".") };
  return new AppError("REQUEST_INVALID", detail, { cause: error, place });
}
