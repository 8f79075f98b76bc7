import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
} from "graphql";
import { numSpares } from "./arena.ts";
import type { Dice } from "./dice.ts";

export interface Operation {
  readonly query: string;
  readonly variables: Record<string, unknown>;
}

/** An operation with every argument as a variable, so that it is the values that are odd, not the text. */
export function randomOperation(schema: GraphQLSchema, dice: Dice): Operation {
  const kind = dice.pick(["query", "query", "query", "mutation", "subscription"] as const);
  const root = {
    query: schema.getQueryType(),
    mutation: schema.getMutationType(),
    subscription: schema.getSubscriptionType(),
  }[kind];
  const fields = Object.values(root?.getFields() ?? {});
  const writer = new OperationWriter(schema, dice, kind);
  const picked = dice.times(kind === "subscription" ? 1 : dice.pick([1, 1, 2, 4]), () => dice.pick(fields));
  const selected = picked.map((field, i) => writer.field(field, dice.pick([2, 4, 7, 14]), i)).join(" ");
  const query = `${kind} ${dice.chance(0.5) ? "Made" : ""}${writer.declarations} { ${selected}${introspection(dice)} }`;
  return { query, variables: writer.variables };
}

function introspection(dice: Dice): string {
  if (!dice.chance(0.04)) return "";
  return dice.pick([
    " __schema { types { name fields { name args { name } type { name ofType { name } } } } }",
    ` __type(name: ${JSON.stringify(dice.hostileText())}) { name }`,
    " ...X } fragment X on Query { ...X",
  ]);
}

class OperationWriter {
  readonly variables: Record<string, unknown> = {};
  readonly #declared: string[] = [];
  readonly #schema: GraphQLSchema;
  readonly #dice: Dice;
  readonly #kind: string;
  #numFields = 0;

  constructor(schema: GraphQLSchema, dice: Dice, kind: string) {
    this.#schema = schema;
    this.#dice = dice;
    this.#kind = kind;
  }

  get declarations(): string {
    return this.#declared.length === 0 ? "" : `(${this.#declared.join(", ")})`;
  }

  /** `alias: name(arguments) { … }` */
  field(field: GraphQLField<unknown, unknown>, depth: number, alias: number): string {
    this.#numFields++;
    const given = field.args.filter(({ type }) => isNonNullType(type) || this.#dice.chance(0.5));
    const values = given.map((argument) => this.#argument(field.name, argument));
    const call = values.length === 0 ? field.name : `${field.name}(${values.join(", ")})`;
    return `a${alias}: ${call}${this.#selection(field, depth)}`;
  }

  #selection({ type }: GraphQLField<unknown, unknown>, depth: number): string {
    const named = getNamedType(type);
    if (!isCompositeType(named)) return "";
    if (depth <= 0 || this.#numFields > 150) return " { __typename }";
    const concrete = isUnionType(named) ? this.#schema.getPossibleTypes(named) : [named];
    const parts = concrete.map((one) => {
      const fields = isObjectType(one) || "getFields" in one ? Object.values(one.getFields()) : [];
      const picked = fields.filter(() => this.#dice.chance(0.4));
      const inner = picked.map((field, i) => this.field(field as GraphQLField<unknown, unknown>, depth - 1, i));
      const text = ["__typename", ...inner].join(" ");
      return one === named ? text : `... on ${one.name} { ${text} }`;
    });
    return ` { ${parts.join(" ")} }`;
  }

  #argument(field: string, { name, type }: GraphQLArgument): string {
    const variable = `v${this.#declared.length}`;
    this.#declared.push(`$${variable}: ${String(type)}`);
    this.variables[variable] = this.#value(field, name, type, 0);
    return `${name}: $${variable}`;
  }

  #value(field: string, name: string, type: GraphQLInputType, depth: number): unknown {
    const dice = this.#dice;
    if (dice.chance(0.12)) return dice.hostileValue();
    if (isNonNullType(type)) return this.#value(field, name, type.ofType, depth);
    if (isListType(type)) return dice.times(dice.integer(4), () => this.#value(field, name, type.ofType, depth + 1));
    if (isEnumType(type)) return dice.pick(type.getValues()).name;
    if (isInputObjectType(type)) {
      const inner = Object.values(type.getFields()).filter((one) => isNonNullType(one.type) || dice.chance(0.4));
      return Object.fromEntries(
        inner.map((one) => [one.name, depth > 4 ? null : this.#value(field, one.name, one.type, depth + 1)]),
      );
    }
    switch (type.name) {
      case "Int":
        return dice.pick([1, 10, 200, 0, -1, 2 ** 31 - 1]);
      case "Float":
        return dice.pick([0.5, 1e308]);
      case "Boolean":
        return dice.chance(0.5);
      case "ID":
        return this.#id(field, name);
      case "String":
        return dice.chance(0.5) ? dice.pick(["a", "train/loss", "PT1H"]) : dice.hostileText();
      default:
        return dice.chance(0.5) ? { edges: { files: ["edges.csv"], src: "src", dst: "dst" } } : dice.hostileValue();
    }
  }

  /** What a mutation may change or delete is named from the spares. */
  #id(field: string, name: string): string {
    const dice = this.#dice;
    if (dice.chance(0.15)) return dice.hostileText();
    const spare = dice.integer(numSpares);
    if (/revoke|delete/i.test(field)) return dice.pick([`{{doomedDataset${spare}}}`, `{{doomedKey${spare}}}`]);
    if (this.#kind === "mutation") return dice.pick([`{{spareDataset${spare}}}`, `{{spareVersion${spare}}}`]);
    if (/dataset/i.test(field + name)) return "{{dataset}}";
    return name === "project" ? "default" : "{{job}}";
  }
}
