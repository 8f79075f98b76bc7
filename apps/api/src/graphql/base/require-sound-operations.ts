import { AppError } from "@hopwise/contracts";
import { type GraphQLFieldResolver, type GraphQLResolveInfo, type GraphQLSchema, Kind, visit } from "graphql";
import type { Objection } from "../../input/require-sound.ts";
import { objectionTo } from "../../input/require-sound.ts";

/**
 * Makes every operation of the schema check its own texts, in variables and in the document, before its first field is
 * resolved: over HTTP and over a socket alike, and for nested fields, whose arguments may reach the database with the
 * query of a field above them.
 */
export function requireSoundOperations(schema: GraphQLSchema): GraphQLSchema {
  for (const type of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]) {
    for (const field of Object.values(type?.getFields() ?? {})) {
      if (field.subscribe) field.subscribe = afterCheck(field.subscribe);
      else if (field.resolve) field.resolve = afterCheck(field.resolve);
    }
  }
  return schema;
}

type Resolver = GraphQLFieldResolver<unknown, unknown>;

function afterCheck(resolve: Resolver): Resolver {
  return (source, args, context, info) => {
    requireSoundOperation(info);
    return resolve(source, args, context, info);
  };
}

/** By the variables, an object of its own in every execution: all root fields of one share the answer. */
const checked = new WeakMap<object, Objection | null>();

function requireSoundOperation(info: GraphQLResolveInfo): void {
  const { variableValues } = info;
  if (!checked.has(variableValues)) checked.set(variableValues, objectionTo(variableValues) ?? objectionToText(info));
  const found = checked.get(variableValues);
  if (!found) return;
  const where = found.pointer === "" ? "A text in the document" : `The variable at ${found.pointer}`;
  throw new AppError("REQUEST_INVALID", `${where} ${found.why}.`, {
    place: { pointer: found.pointer && `/variables${found.pointer}` },
  });
}

function objectionToText({ operation, fragments }: GraphQLResolveInfo): Objection | null {
  let found: Objection | null = null;
  for (const definition of [operation, ...Object.values(fragments)]) {
    visit(definition, {
      [Kind.STRING]({ value }) {
        const objection = objectionTo(value);
        found ??= objection;
      },
    });
  }
  return found;
}
