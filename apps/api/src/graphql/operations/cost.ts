import { complexityFromQuery } from "@pothos/plugin-complexity";
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";
import { schema } from "../schema/schema.ts";

export interface OperationCost {
  /** In fields that only read a value; `graphql/costs.ts` says what the others cost. */
  readonly cost: number;
  /** Levels of nested selections; introspection does not count */
  readonly depth: number;
}

/** The most that the operation can cost, from the document alone: lists are as long as they may be. */
export function costOf(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): OperationCost {
  const fragments = document.definitions.filter((part) => part.kind === Kind.FRAGMENT_DEFINITION);
  const asked: DocumentNode = { kind: Kind.DOCUMENT, definitions: [operation, ...fragments] };
  const { complexity, depth } = complexityFromQuery(asked, { schema, variables: { ...variables } });
  return { cost: complexity + introspectionCost(operation, fragments), depth };
}

/** The schema's fields about itself are none of its own fields, so the plugin does not count what they select. */
function introspectionCost(operation: OperationDefinitionNode, definitions: readonly FragmentDefinitionNode[]): number {
  const fragments = new Map(definitions.map((fragment) => [fragment.name.value, fragment.selectionSet]));
  const counted = new Map<SelectionSetNode, number>();
  const costOfSelection = (set: SelectionSetNode, isInside: boolean): number => {
    const known = counted.get(set);
    if (known !== undefined) return known;
    let cost = 0;
    for (const selection of set.selections) {
      if (selection.kind === Kind.INLINE_FRAGMENT) cost += costOfSelection(selection.selectionSet, isInside);
      else if (selection.kind === Kind.FRAGMENT_SPREAD) {
        const spread = fragments.get(selection.name.value);
        if (spread) cost += costOfSelection(spread, isInside);
      } else {
        const name = selection.name.value;
        const isIntrospection = isInside || name === "__schema" || name === "__type";
        if (isIntrospection) cost += introspectionField;
        if (isIntrospection && selection.selectionSet) {
          cost += (introspectionLists[name] ?? 1) * costOfSelection(selection.selectionSet, true);
        }
      }
    }
    counted.set(set, cost);
    return cost;
  };
  return costOfSelection(operation.selectionSet, false);
}

/** It is done in one go, without turns for others in between. */
const introspectionField = 2;

/** How long the lists of the introspection are on average: types times fields are all the fields there are. */
const introspectionLists: Readonly<Record<string, number>> = (() => {
  const types = Object.values(schema.getTypeMap());
  const directives = schema.getDirectives();
  const withFields = types.filter((type) => isObjectType(type) || isInterfaceType(type));
  const fields = withFields.flatMap((type) => Object.values(type.getFields()));
  const perType = (total: number) => total / types.length;
  return {
    types: types.length,
    fields: perType(fields.length),
    args: Math.max(meanOf(fields.map(({ args }) => args)), meanOf(directives.map(({ args }) => args))),
    inputFields: perType(totalOf(types.filter(isInputObjectType).map((type) => Object.values(type.getFields())))),
    enumValues: perType(totalOf(types.filter(isEnumType).map((type) => type.getValues()))),
    interfaces: perType(totalOf(withFields.map((type) => type.getInterfaces()))),
    possibleTypes: perType(totalOf(types.filter(isAbstractType).map((type) => schema.getPossibleTypes(type)))),
    directives: directives.length,
    locations: meanOf(directives.map(({ locations }) => locations)),
  };
})();

function totalOf(lists: readonly (readonly unknown[])[]): number {
  return lists.reduce((total, { length }) => total + length, 0);
}

function meanOf(lists: readonly (readonly unknown[])[]): number {
  return totalOf(lists) / lists.length;
}
