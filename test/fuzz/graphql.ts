import type { GraphQLSchema } from "graphql";
import type { Arena } from "./arena.ts";
import type { Dice } from "./dice.ts";
import type { Message } from "./exchange.ts";
import { deepText } from "./hostile.ts";
import { faultOfErrors, judgeAnswer, parseOrNull } from "./judge.ts";
import { mutateJson } from "./mutate-json.ts";
import { randomOperation } from "./random-operation.ts";
import type { Outcome, Target } from "./target.ts";

/** Queries and mutations of the schema, with arguments and texts that nobody means. */
export class GraphqlTarget implements Target<Message> {
  readonly name = "graphql";
  readonly #arena: Arena;
  readonly #schema: GraphQLSchema;

  constructor(arena: Arena, schema: GraphQLSchema) {
    this.#arena = arena;
    this.#schema = schema;
  }

  generate(dice: Dice): Message {
    const headers = { authorization: "{{authorization}}", "content-type": "application/json" };
    const request = graphqlRequest(this.#schema, dice);
    if (dice.chance(0.05)) {
      const query = Object.entries(request).map(
        ([name, value]) => `${name}=${encodeURIComponent(JSON.stringify(value))}`,
      );
      return { method: "GET", path: `/graphql?${query.join("&")}`, headers };
    }
    return { method: "POST", path: "/graphql", headers, body: JSON.stringify(request) };
  }

  async run(message: Message): Promise<Outcome> {
    const answer = await this.#arena.send(message);
    const judged = judgeAnswer(answer, false);
    if (judged.fault !== null || answer.how !== "answered") return judged;
    const { errors } = (parseOrNull(answer.body) ?? {}) as { errors?: unknown };
    if (!Array.isArray(errors)) return judged;
    return { kind: `${judged.kind} with errors`, fault: faultOfErrors(errors) };
  }
}

/** What a POST to /graphql carries, or the payload of a subscription. */
export function graphqlRequest(schema: GraphQLSchema, dice: Dice): Record<string, unknown> {
  const { query, variables } = randomOperation(schema, dice);
  const request: Record<string, unknown> = { query: mangled(query, dice), variables };
  if (dice.chance(0.1)) request["operationName"] = dice.hostileValue();
  if (dice.chance(0.1)) request["extensions"] = dice.hostileValue();
  return dice.chance(0.08) ? (mutateJson(dice, request) as Record<string, unknown>) : request;
}

function mangled(query: string, dice: Dice): string {
  if (dice.chance(0.05)) return dice.sample(deepText);
  if (dice.chance(0.8)) return query;
  const [from, to] = [dice.integer(query.length), dice.integer(query.length)].toSorted((a, b) => a - b);
  return dice.pick([
    query.slice(0, to),
    query.slice(0, from) + query.slice(to),
    query.slice(0, to) + query.slice(from),
    query.slice(0, from) + dice.hostileText() + query.slice(from),
    query.repeat(20),
  ]);
}
