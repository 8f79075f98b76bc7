import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isLeafType,
  isObjectType,
} from "graphql";
import type { GraphqlContext } from "./builder.ts";
import { costs } from "./costs.ts";

/** The schema with every resolver in step with the work of its operation (`Work`). */
export function paced(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith("__")) continue;
    for (const field of Object.values(type.getFields())) pace(field);
  }
  return schema;
}

function pace(field: GraphQLField<unknown, GraphqlContext>): void {
  const { resolve = defaultFieldResolver } = field;
  const asks = asksDatabase(field.extensions.complexity);
  const isLeaf = isLeafType(getNamedType(field.type));
  const answered = (value: unknown, { work }: GraphqlContext) => {
    if (isLeaf) work.answerWith(value);
    return value;
  };
  field.resolve = (source, args, context, info) => {
    const read = () => {
      const value: unknown = resolve(source, args, context, info);
      return value instanceof Promise ? value.then((found) => answered(found, context)) : answered(value, context);
    };
    // Reading what is there takes no time worth a turn.
    if (resolve === defaultFieldResolver) return read();
    return asks ? context.work.ask(read) : context.work.resolve(read);
  };
}

/** By its declared cost (`costs.ts`). */
function asksDatabase(complexity: unknown): boolean {
  if (typeof complexity === "function") return true;
  const { field } = typeof complexity === "object" ? (complexity as { field?: number }) : { field: complexity };
  return typeof field === "number" && field >= costs.query;
}
