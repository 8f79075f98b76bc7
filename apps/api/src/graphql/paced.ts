import { type GraphQLField, type GraphQLSchema, getNamedType, isLeafType, isObjectType } from "graphql";
import type { GraphqlContext } from "./builder.ts";

/** The schema with every resolver in step with the work of its operation (`Work`). */
export function paced(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith("__")) continue;
    for (const field of Object.values(type.getFields())) pace(field);
  }
  return schema;
}

function pace(field: GraphQLField<unknown, GraphqlContext>): void {
  const { resolve } = field;
  if (!resolve) return;
  const isLeaf = isLeafType(getNamedType(field.type));
  field.resolve = (source, args, context, info) => {
    const { work } = context;
    const answer = (value: unknown) => {
      if (isLeaf) work.answerWith(value);
      return value;
    };
    const go = () => {
      const value = resolve(source, args, context, info);
      return value instanceof Promise ? value.then(answer) : answer(value);
    };
    const turn = work.mayGoOn();
    return turn === null ? go() : turn.then(go);
  };
}
