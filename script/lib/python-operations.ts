import { type PythonTypes, pascal, type Schema, sentence, snake } from "./python-types.ts";

export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly security?: readonly unknown[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
}

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly schema: Schema;
  readonly description?: string;
}

interface Argument {
  readonly name: string;
  readonly type: string;
  /** Left out: it has to be given. */
  readonly fallback?: string;
}

/** A method of Python's client for a call of the API. */
export function methodText(operation: Operation, types: PythonTypes): string {
  const { path, summary, method, parameters } = operation;
  const inQuery = parameters.filter((parameter) => parameter.in === "query");
  const hasKey = parameters.some(({ name }) => name === "idempotency-key");
  const name = pascal(operation.operationId);
  const { filled, names } = pathOf(path);
  const positional: Argument[] = names.map((one) => ({ name: one, type: "str" }));
  const body = bodyOf(operation, types, name);
  if (body) positional.push(body);
  const keywords: Argument[] = inQuery.map((one) => ({
    name: snake(one.name),
    type: `${types.typeOf(one.schema, name + pascal(one.name))}${one.required ? "" : " | None"}`,
    ...(!one.required && { fallback: "None" }),
  }));
  if (hasKey) keywords.push({ name: "idempotency_key", type: "str | None", fallback: "None" });
  const answer = answerOf(operation, types, name);
  const values = [`"${method.toUpperCase()}"`, filled];
  if (keywords.some((one) => one.name !== "idempotency_key")) {
    values.push(`query={${inQuery.map((one) => `"${one.name}": ${snake(one.name)}`).join(", ")}}`);
  }
  if (body) values.push(`${body.name}=${body.name}`);
  if (hasKey) values.push("idempotency_key=idempotency_key or new_key()");
  return [
    signature(snake(operation.operationId), positional, keywords, answer.type),
    docstring(sentence(summary)),
    answer.type === "None"
      ? callText(`self._transport.${answer.call}`, values)
      : callText(`return self._transport.${answer.call}`, values),
    "",
  ].join("\n");
}

/** On one line, or broken before the word that does not fit. */
function docstring(text: string): string {
  const line = `        """${text}"""`;
  const at = line.lastIndexOf(" ", 117);
  return line.length <= 120 ? line : `${line.slice(0, at)}\n        ${line.slice(at + 1)}`;
}

/** The path with its parameters filled in, each named after what it is an id of: `job_id`. */
function pathOf(path: string): { filled: string; names: string[] } {
  const names: string[] = [];
  const filled = path.replaceAll(/([\w-]+)\/\{(\w+)\}/g, (_, collection: string, name: string) => {
    const argument = `${snake(collection).replace(/s$/, "")}_${name}`;
    names.push(argument);
    return `${collection}/{quoted(${argument})}`;
  });
  return { filled: names.length === 0 ? `"${path}"` : `f"${filled}"`, names };
}

function signature(name: string, positional: readonly Argument[], keywords: readonly Argument[], type: string): string {
  const all = [
    "self",
    ...positional.map(argumentText),
    ...(keywords.length > 0 ? ["*", ...keywords.map(argumentText)] : []),
  ];
  const line = `    def ${name}(${all.join(", ")}) -> ${type}:`;
  if (line.length <= 112) return line;
  return `    def ${name}(\n${all.map((one) => `        ${one},\n`).join("")}    ) -> ${type}:`;
}

function argumentText({ name, type, fallback }: Argument): string {
  return fallback === undefined ? `${name}: ${type}` : `${name}: ${type} = ${fallback}`;
}

function callText(call: string, values: readonly string[]): string {
  const line = `        ${call}(${values.join(", ")})`;
  if (line.length <= 112) return line;
  return `        ${call}(\n${values.map((value) => `            ${value},\n`).join("")}        )`;
}

function bodyOf({ requestBody }: Operation, types: PythonTypes, name: string): Argument | null {
  if (!requestBody) return null;
  if (requestBody.content["multipart/form-data"]) return { name: "file", type: "FileToSend" };
  const schema = requestBody.content["application/json"]?.schema ?? {};
  const type = types.typeOf(schema, `${name}Body`);
  return { name: "body", type: type === "Any" ? "Mapping[str, Any]" : type };
}

/** How the answer is read: JSON, nothing, a stream of events, or bytes as they come. */
function answerOf({ responses }: Operation, types: PythonTypes, name: string): { type: string; call: string } {
  const contents = Object.entries(responses).flatMap(([status, { content = {} }]) =>
    status.startsWith("2") ? Object.entries(content) : [],
  );
  if (contents.length === 0) return { type: "None", call: "call" };
  if (contents.some(([type]) => type === "text/event-stream")) return { type: "Iterator[JobEvent]", call: "events" };
  const [only] = contents;
  if (only && contents.every(([type]) => type === "application/json")) {
    return { type: types.typeOf(only[1].schema, `${name}Answer`), call: "call" };
  }
  return { type: "Answer", call: "open" };
}
