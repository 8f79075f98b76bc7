import { parseSync } from "vite";

// The parts of an ESTree of TypeScript that declarations of native functions use.
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

type Aliases = ReadonlyMap<string, Node>;

interface Source {
  readonly text: string;
  readonly aliases: Aliases;
}

/** How signatures name what declarations leave open: arrays of the addon's memory. */
const arrayTypes: Readonly<Record<string, string>> = {
  floats: "Float32Array",
  ints: "Int32Array",
  block: "NativeBlock",
  reversible: "ReversibleBlock",
  rows: "Float32Array | NativeRows",
};

/** Declarations with the names that signatures have for arrays of the addon's memory. */
export function withArrayTypes(declared: string): string {
  return declared.replace(/\bM\["(\w+)"\]/g, (_, of: string) => arrayTypes[of] as string);
}

/**
 * What the interfaces whose names end in "Addon" declare, each function as `name(parameter: type, …)`, as the addon
 * writes its own signatures. Lists of arguments that several functions share are spelt out.
 */
export function declaredSignatures(text: string): string[] {
  const { program } = parseSync("addon.ts", text, { lang: "ts" });
  const declarations = (program.body as unknown as Node[]).map((node) => (node["declaration"] as Node) ?? node);
  const aliases = new Map<string, Node>();
  for (const node of declarations) {
    if (node.type === "TSTypeAliasDeclaration") aliases.set(nameOf(node["id"]), node);
  }
  return declarations
    .filter((node) => node.type === "TSInterfaceDeclaration" && nameOf(node["id"]).endsWith("Addon"))
    .flatMap((node) => (node["body"] as Node)["body"] as Node[])
    .flatMap((member) => signatureOf(member, { text, aliases }));
}

function signatureOf(member: Node, source: Source): string[] {
  const name = nameOf(member["key"]);
  if (member.type === "TSMethodSignature") return [`${name}(${parametersOf(member, source).join(", ")})`];
  const type = resolved(annotationOf(member), source.aliases);
  return type.type === "TSFunctionType" ? [`${name}(${parametersOf(type, source).join(", ")})`] : [];
}

function parametersOf(node: Node, source: Source): string[] {
  const generics = genericsOf(node, source);
  return (node["params"] as Node[]).flatMap((parameter) => {
    if (parameter.type === "RestElement") return elementsOf(annotationOf(parameter), source, new Map());
    const label = `${nameOf(parameter)}${parameter["optional"] ? "?" : ""}`;
    return [`${label}: ${typeText(annotationOf(parameter), source, generics)}`];
  });
}

/** A type parameter stands for what it extends. */
function genericsOf(node: Node, source: Source): Map<string, string> {
  const list = (node["typeParameters"] as Node | null)?.["params"] as Node[] | undefined;
  return new Map(list?.map((each) => [nameOf(each["name"]), slice(each["constraint"] as Node, source)]));
}

/** The elements of a tuple of labelled arguments, tuples within it spelt out. */
function elementsOf(type: Node, source: Source, generics: Map<string, string>): string[] {
  if (type.type === "TSTypeReference") {
    const alias = source.aliases.get(nameOf(type["typeName"]));
    if (!alias) throw new Error(`${slice(type, source)} is not declared beside the functions that take it.`);
    return elementsOf(alias["typeAnnotation"] as Node, source, argumentsOf(alias, type, source));
  }
  if (type.type === "TSTypeOperator") return elementsOf(type["typeAnnotation"] as Node, source, generics);
  return (type["elementTypes"] as Node[]).flatMap((element) => {
    const isRest = element.type === "TSRestType";
    const inner = isRest ? (element["typeAnnotation"] as Node) : element;
    if (inner.type !== "TSNamedTupleMember") throw new Error(`${slice(type, source)} has an element without a label.`);
    const elementType = inner["elementType"] as Node;
    if (isRest) return elementsOf(elementType, source, generics);
    return [`${nameOf(inner["label"])}: ${typeText(elementType, source, generics)}`];
  });
}

function argumentsOf(alias: Node, reference: Node, source: Source): Map<string, string> {
  const given = (reference["typeArguments"] as Node | null)?.["params"] as Node[] | undefined;
  const parameters = ((alias["typeParameters"] as Node | null)?.["params"] as Node[] | undefined) ?? [];
  return new Map(
    parameters.map((each, i) => [nameOf(each["name"]), slice(given?.[i] ?? (each["default"] as Node), source)]),
  );
}

function typeText(type: Node, source: Source, generics: ReadonlyMap<string, string>): string {
  const text = slice(type, source);
  const simple = resolved(type, source.aliases);
  return generics.get(text) ?? (simple.type === "TSTypeReference" ? slice(simple, source) : text);
}

/** An alias of a name or a function, followed. */
function resolved(type: Node, aliases: Aliases): Node {
  if (type.type !== "TSTypeReference") return type;
  const aliased = aliases.get(nameOf(type["typeName"]))?.["typeAnnotation"] as Node | undefined;
  return aliased?.type === "TSTypeReference" || aliased?.type === "TSFunctionType" ? aliased : type;
}

const annotationOf = (node: Node) => (node["typeAnnotation"] as Node)["typeAnnotation"] as Node;
const nameOf = (node: unknown) => (node as { readonly name: string }).name ?? "";
const slice = ({ start, end }: Node, { text }: Source) => text.slice(start, end).replace(/\s+/g, " ");
