export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly description?: string;
  readonly format?: string;
}

const scalars: Readonly<Record<string, string>> = {
  string: "str",
  integer: "int",
  number: "float",
  boolean: "bool",
  null: "None",
};
const keywords = new Set(
  "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield".split(
    " ",
  ),
);

/** Python's types of JSON schemas: a TypedDict for each object, gathered as they are asked for. */
export class PythonTypes {
  readonly #classes = new Map<string, string>();

  /** Declares a schema that has a name of its own. */
  declare(name: string, schema: Schema): void {
    if (isObject(schema)) this.#declareClass(name, schema);
    else this.#classes.set(name, `${name}: TypeAlias = ${asAlias(this.typeOf(schema, name))}\n${docOf(schema)}`);
  }

  /** The type of a schema; an object without a name of its own is called `name`. */
  typeOf(schema: Schema, name: string): string {
    if (schema.$ref !== undefined) return schema.$ref.split("/").at(-1) ?? "Any";
    if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`;
    if (schema.enum) return this.#enumType(schema.enum);
    const variants = schema.anyOf ?? schema.oneOf;
    if (variants) return union(variants.map((one, i) => this.typeOf(one, name + variantName(one, i, variants.length))));
    if (Array.isArray(schema.type)) return union(schema.type.map((type: string) => this.typeOf({ type }, name)));
    if (schema.type === "array") return `list[${this.typeOf(schema.items ?? {}, singular(name))}]`;
    if (isObject(schema)) {
      this.#declareClass(name, schema);
      return name;
    }
    if (schema.type === "object") return this.#mapType(schema, name);
    return scalars[String(schema.type)] ?? "Any";
  }

  /** All that was declared, by name. */
  text(): string {
    return [...this.#classes]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([, text]) => text)
      .join("\n\n");
  }

  #enumType(values: readonly unknown[]): string {
    // Switches in an address are words there; here they are what they mean.
    const isSwitch = values.length === 2 && values.every((value) => value === "true" || value === "false");
    return isSwitch ? "bool" : `Literal[${values.map(literal).join(", ")}]`;
  }

  #mapType({ additionalProperties }: Schema, name: string): string {
    const values = typeof additionalProperties === "object" ? this.typeOf(additionalProperties, singular(name)) : "Any";
    return `dict[str, ${values}]`;
  }

  #declareClass(name: string, schema: Schema): void {
    const required = new Set(schema.required);
    const fields = Object.entries(schema.properties ?? {}).map(([field, value]) => {
      const type = this.typeOf(value, name + pascal(field));
      const described = value.description === undefined ? [] : commentLines(value.description);
      return { field, described, type: required.has(field) ? type : `NotRequired[${type}]` };
    });
    if (fields.every(({ field }) => isName(field))) {
      const lines = fields.flatMap(({ field, described, type }) => [...described, `${field}: ${type}`]);
      this.#classes.set(name, `class ${name}(TypedDict):\n${docOf(schema, "    ")}${indented(lines, 4)}`);
      return;
    }
    const lines = fields.flatMap(({ field, described, type }) => [
      ...described,
      `"${field}": ${JSON.stringify(type)},`,
    ]);
    this.#classes.set(
      name,
      `${name} = TypedDict(\n    "${name}",\n    {\n${indented(lines, 8)}    },\n)\n${docOf(schema)}`,
    );
  }
}

/** `readJob` as Python names functions. */
export function snake(name: string): string {
  const text = name.replaceAll(/[A-Z]+/g, (letters) => `_${letters.toLowerCase()}`).replaceAll(/\W+/g, "_");
  return keywords.has(text) ? `${text}_` : text.replace(/^_/, "");
}

/** A name as Python's classes have it. */
export function pascal(name: string): string {
  return name.replaceAll(/(?:^|[^A-Za-z0-9])+([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** A docstring; empty without a description. */
function docOf({ description }: Schema, indent = ""): string {
  return description === undefined ? "" : `${indent}"""${sentence(description)}"""\n${indent === "" ? "" : "\n"}`;
}

/** Text in lines of comment that fit. */
function commentLines(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < 108) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`# ${word}`);
  }
  return lines;
}

export function sentence(text: string): string {
  const escaped = text.replaceAll("\\", "\\\\").replaceAll('"', '\\"');
  return /[.…]$/.test(escaped) ? escaped : `${escaped}.`;
}

function isObject({ type, properties }: Schema): boolean {
  return type === "object" && properties !== undefined;
}

function isName(text: string): boolean {
  return /^[A-Za-z_]\w*$/.test(text) && !keywords.has(text);
}

function literal(value: unknown): string {
  if (typeof value === "boolean") return value ? "True" : "False";
  return value === null ? "None" : JSON.stringify(value);
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(" | ");
}

/** Aliases are evaluated when the module is loaded, before what they name is there. */
function asAlias(type: string): string {
  if (/^[a-z]+$/.test(type)) return type;
  return `Union[${type
    .split(" | ")
    .map((one) => JSON.stringify(one))
    .join(", ")}]`;
}

const mostColumns = 120;

/** Puts the items of the first bracket of each line that is too long on lines of their own. */
export function fitted(text: string): string {
  return text
    .split("\n")
    .map((line) => {
      const [, indent = "", head = "", items = "", tail = ""] = /^( *)(.*?[[{])(.*)([\]}][^\]}]*)$/.exec(line) ?? [];
      if (line.length <= mostColumns || items === "") return line;
      const broken = items.split(", ").map((item) => `${indent}    ${item},`);
      return [`${indent}${head}`, ...broken, `${indent}${tail}`].join("\n");
    })
    .join("\n");
}

/** Variants of a union by the value that tells them apart, else by number. */
function variantName({ properties = {} }: Schema, index: number, count: number): string {
  const tag = Object.values(properties).find((value) => typeof value.const === "string")?.const;
  if (typeof tag === "string") return pascal(tag);
  return count > 2 ? String(index + 1) : "";
}

function singular(name: string): string {
  return name.replace(/ies$/, "y").replace(/([^s])s$/, "$1");
}

function indented(lines: readonly string[], width: number): string {
  return lines.map((line) => `${" ".repeat(width)}${line}\n`).join("");
}
