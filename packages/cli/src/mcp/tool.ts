import type { HopwiseClient } from "@hopwise/client";

/** The JSON Schema of an argument, as far as tools need it. */
export interface ArgumentSchema {
  readonly type: "string" | "integer" | "boolean" | "object" | "array";
  readonly description: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: { readonly type: "string" | "integer" | "object" };
}

export type Arguments = Readonly<Record<string, unknown>>;

export interface ToolScope {
  readonly client: HopwiseClient;
  readonly signal: AbortSignal;
  /** Within which files are read and written, without symbolic links */
  readonly folder: string;
  /** Tells how far it is, to a client that asked for it. */
  readonly progress: (progress: number, message: string) => void;
}

/** Something that a model may ask for. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** Whether it leaves the service and this machine as they are. */
  readonly isReadOnly: boolean;
  readonly required?: readonly string[];
  readonly arguments: Readonly<Record<string, ArgumentSchema>>;
  readonly run: (given: Arguments, scope: ToolScope) => Promise<unknown>;
}

/** Finds what is wrong with the arguments of a call. @returns null: nothing is */
export function argumentProblem({ arguments: known, required = [] }: Tool, given: Arguments): string | null {
  const missing = required.filter((name) => given[name] === undefined);
  if (missing.length > 0) return `missing: ${missing.join(", ")}`;
  for (const [name, value] of Object.entries(given)) {
    const schema = Object.hasOwn(known, name) ? known[name] : undefined;
    if (!schema) return `there is no argument "${name}"; there are ${Object.keys(known).join(", ") || "none"}`;
    const problem = valueProblem(schema, value);
    if (problem !== null) return `${name}: ${problem}`;
  }
  return null;
}

function valueProblem({ type, enum: choices, minimum, maximum, items }: ArgumentSchema, value: unknown): string | null {
  if (!hasType(value, type)) return `found ${JSON.stringify(value)}, expected ${type}`;
  if (choices && !choices.includes(String(value))) return `found "${String(value)}", expected ${choices.join(", ")}`;
  if (minimum !== undefined && Number(value) < minimum) return `found ${String(value)}, expected ${minimum} or more`;
  if (maximum !== undefined && Number(value) > maximum) return `found ${String(value)}, expected ${maximum} or less`;
  if (items && !(value as unknown[]).every((one) => hasType(one, items.type))) return `expected ${items.type}s`;
  return null;
}

function hasType(value: unknown, type: ArgumentSchema["type"]): boolean {
  if (type === "integer") return Number.isSafeInteger(value);
  if (type === "array") return Array.isArray(value);
  if (type === "object") return typeof value === "object" && value !== null && !Array.isArray(value);
  return typeof value === type;
}

/** The text of an argument; empty without one. */
export function textIn(given: Arguments, name: string): string {
  const value = given[name];
  return typeof value === "string" ? value : "";
}

/** The number of an argument. */
export function countIn(given: Arguments, name: string, fallback: number): number {
  const value = given[name];
  return typeof value === "number" ? value : fallback;
}

/** A tool as the protocol lists it. */
export function listedTool({ name, description, isReadOnly, required = [], arguments: properties }: Tool): object {
  return {
    name,
    description,
    inputSchema: { type: "object", properties, required, additionalProperties: false },
    annotations: { readOnlyHint: isReadOnly, destructiveHint: false, openWorldHint: false },
  };
}
