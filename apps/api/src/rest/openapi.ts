import { errorCodes, problem, problemCodesOf, type RawAnswer, type RestRoute, restRoutes } from "@hopwise/contracts";
import { z } from "zod";

type Json = Record<string, unknown>;

export interface DocumentOptions {
  /** Name of the cookie that carries a session. */
  readonly sessionCookie: string;
  /** Left out: all that there are. */
  readonly routes?: Readonly<Record<string, RestRoute>>;
}

/** OpenAPI 3.1 of every route, made from their schemas alone; named schemas are its components. */
export function openapiDocument({ sessionCookie, routes = restRoutes }: DocumentOptions): Json {
  const schemas: Json = { Problem: problemSchema() };
  const paths: Record<string, Json> = {};
  for (const [name, route] of Object.entries(routes)) {
    const path = openapiPath(route.path);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(name, route, schemas) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Hopwise",
      version: "1",
      summary: "Trains graph neural networks on your graphs",
      description: "Errors are application/problem+json; docs/errors.md lists their codes.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    security: [{ apiKey: [] }, { session: [] }],
    tags: [...new Set(Object.values(routes).map(({ tag }) => tag))].map((name) => ({
      name,
      description: tagDescriptions[name],
    })),
    paths,
    components: {
      schemas,
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer", description: "An API key, `hw_…`" },
        session: { type: "apiKey", in: "cookie", name: sessionCookie, description: "Session of who has signed in" },
        grant: { type: "http", scheme: "bearer", description: "The grant that came with a worker's task" },
      },
    },
  };
}

const tagDescriptions: Readonly<Record<string, string>> = {
  service: "Whether the service lives, what it measures, this document, and GraphQL",
  session: "Signing in and out with a link, as browsers do",
  projects: "What datasets, jobs and keys belong to",
  "api-keys": "Keys for programs, each with a role",
  datasets: "Uploads, how their columns are read, and the graph that is made of them",
  uploads: "Single files that are sent by tus 1.0, and gone on with after a cut",
  imports: "Files that the service fetches from elsewhere, and the credentials that it has for that",
  "write-backs": "Results that the service writes into a PostgreSQL",
  jobs: "Training models and applying them: estimate, submit, follow, cancel",
  sweeps: "Training jobs that are submitted as one: grids and seeds, summed up",
  models: "What jobs have trained, kept under a name and applied to other data",
  serving: "Single questions: what is predicted of a node, and which nodes are near it",
  downloads: "Embeddings, predictions and every other artifact of a job",
  catalog: "What can be chosen in a job's spec, and the schemas of specs",
  notifications: "What people and webhooks are told about jobs",
  workers: "Who runs the jobs, and the credentials that workers have",
  "artifact store": "For workers: blobs, by the grant that came with a task",
};

/** `/v1/jobs/:id` and `/v1/store/*` as OpenAPI writes them. */
export function openapiPath(path: string): string {
  return path.replaceAll(/:(\w+)/g, "{$1}").replace("*", "{key}");
}

function operation(name: string, route: RestRoute, schemas: Json): Json {
  const { tag, summary, access = "closed", body, consumes = ["application/json"] } = route;
  const described = {
    operationId: name,
    tags: [tag],
    summary,
    parameters: [
      ...parametersOf(route.params, "path"),
      ...parametersOf(route.query, "query"),
      ...parametersOf(route.headers, "header"),
    ],
    responses: { ...answersOf(route, schemas), ...problemsOf(route) },
  };
  return {
    ...described,
    ...(access === "closed" ? {} : { security: access === "grant" ? [{ grant: [] }] : [] }),
    ...(body || route.consumes ? { requestBody: requestBody(body, consumes, schemas) } : {}),
  };
}

function requestBody(body: z.ZodType | undefined, consumes: readonly string[], schemas: Json): Json {
  const schema = body ? schemaOf(body, "input", schemas) : undefined;
  const content = Object.fromEntries(consumes.map((type) => [type, { schema: schema ?? rawBody(type) }]));
  return { required: true, content };
}

function rawBody(type: string): Json {
  if (type !== "multipart/form-data") return { type: "string", format: "binary" };
  const file = { type: "string", format: "binary" };
  return { type: "object", properties: { file: { type: "array", items: file } } };
}

function parametersOf(schema: z.ZodObject | undefined, place: "path" | "query" | "header"): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = inputSchema(schema) as { properties?: Json; required?: string[] };
  return Object.entries(properties).map(([name, value]) => {
    const { description, ...rest } = value as Json;
    return {
      name: name === "*" ? "key" : name,
      in: place,
      required: place === "path" || required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema: rest,
    };
  });
}

function answersOf({ method, answers }: RestRoute, schemas: Json): Json {
  const described = Object.entries(answers).map(([status, answer]) => {
    if (answer instanceof z.ZodType) {
      const content = { "application/json": { schema: outputSchema(answer, schemas) } };
      return [status, { description: answer.description ?? titles[status] ?? "The answer", content }];
    }
    return [status, rawAnswer(answer, method, schemas)];
  });
  return Object.fromEntries(described);
}

const titles: Readonly<Record<string, string>> = { 200: "The answer", 201: "It is made", 202: "It is queued" };

function rawAnswer(
  { description, contentTypes = [], schemas: named = {} }: RawAnswer,
  method: string,
  schemas: Json,
): Json {
  if (contentTypes.length === 0 || method === "HEAD") return { description };
  const content = contentTypes.map((full) => {
    const type = full.split(";")[0] ?? full;
    const schema = named[type];
    if (!schema) return [type, { schema: { type: "string", format: "binary" } }];
    const made = outputSchema(schema, schemas);
    return [type, { schema: type === "application/json" ? made : { type: "string", contentSchema: made } }];
  });
  return { description, content: Object.fromEntries(content) };
}

/** The problems of a route by status, each with the codes that it may have. */
function problemsOf(route: RestRoute): Json {
  const byStatus = new Map<number, string[]>();
  for (const code of new Set(problemCodesOf(route))) {
    const { status } = errorCodes[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const described = [...byStatus]
    .toSorted(([a], [b]) => a - b)
    .map(([status, codes]) => {
      const schema = {
        allOf: [{ $ref: "#/components/schemas/Problem" }, { type: "object", properties: { code: { enum: codes } } }],
      };
      const answered = route.answers[status];
      // GraphQL has its own shape for them.
      if (answered instanceof z.ZodType) return [];
      const body = route.method === "HEAD" ? {} : { content: { "application/problem+json": { schema } } };
      return [[status, { description: codes.map((code) => `\`${code}\``).join(", "), ...body }] as const];
    });
  return Object.fromEntries(described.flat());
}

function problemSchema(): Json {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(
    problem.extend({ instance: z.string().optional().describe("The path that was asked for") }),
    { io: "output" },
  );
  return schema;
}

function inputSchema(schema: z.ZodType): Json {
  const { $schema: _dialect, ...made } = z.toJSONSchema(schema, { io: "input" });
  return made;
}

/** The JSON Schema of an answer; what has a name of its own goes into `schemas`. */
function outputSchema(schema: z.ZodType, schemas: Json): Json {
  return schemaOf(schema, "output", schemas);
}

function schemaOf(schema: z.ZodType, io: "input" | "output", schemas: Json): Json {
  const { $schema: _dialect, $defs = {}, ...made } = z.toJSONSchema(schema, { io });
  for (const [name, definition] of Object.entries($defs)) schemas[name] = asComponents(definition);
  return asComponents(made);
}

/** References to named schemas, as a document of OpenAPI has them. */
function asComponents<T>(schema: T): T {
  return JSON.parse(JSON.stringify(schema).replaceAll("#/$defs/", "#/components/schemas/")) as T;
}
