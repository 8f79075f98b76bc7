import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** A name of a declaration file: where it is declared, and as what. */
export interface Origin {
  readonly file: string;
  readonly name: string;
}

/** What a compiled `.d.ts` file declares, imports and passes on. */
export interface DeclarationFile {
  /** Text of each declaration without comments, by name */
  readonly declared: ReadonlyMap<string, string>;
  /** Names imported from files beside it */
  readonly imported: ReadonlyMap<string, Origin>;
  /** Names exported, its own and others' */
  readonly exported: ReadonlyMap<string, Origin>;
  readonly exportsAllOf: readonly string[];
}

const known = new Map<string, DeclarationFile>();

/** Reads a file as the compiler writes them: no two statements on a line. */
export function readDeclarations(file: string): DeclarationFile {
  const found = known.get(file) ?? parse(file);
  known.set(file, found);
  return found;
}

function parse(file: string): DeclarationFile {
  const declared = new Map<string, string>();
  const imported = new Map<string, Origin>();
  const exported = new Map<string, Origin>();
  const exportsAllOf: string[] = [];
  for (const statement of statementsOf(readFileSync(file, "utf8"))) {
    const [, keyword, names = "", from] =
      /^(import|export)(?: type)? \{([^}]*)\}(?: from "(.*)")?;$/s.exec(statement) ?? [];
    const source = from === undefined ? file : sourceOf(file, from);
    const all = /^export \* from "(.*)";$/.exec(statement)?.[1];
    const declaration = /^(export )?(?:declare )?(?:abstract )?(?:function|class|interface|type|const|enum) (\w+)/.exec(
      statement,
    );
    if (all !== undefined) exportsAllOf.push(sourceOf(file, all) ?? all);
    else if (keyword !== undefined && source !== null) {
      for (const [name, local] of namesIn(names))
        (keyword === "import" ? imported : exported).set(local, { file: source, name });
    } else if (declaration) {
      const name = declaration[2] as string;
      declared.set(name, [declared.get(name), statement].filter(Boolean).join("\n"));
      if (declaration[1]) exported.set(name, { file, name });
    }
  }
  return { declared, imported, exported, exportsAllOf };
}

/** `a`, `type B`, `c as d` → [name there, name here] */
function namesIn(list: string): (readonly [string, string])[] {
  const items = list.split(",").map((item) => item.trim().replace(/^type /, ""));
  return items.filter(Boolean).map((item) => {
    const [name = "", local = name] = item.split(" as ");
    return [name, local] as const;
  });
}

/** Null for packages */
export function sourceOf(file: string, specifier: string): string | null {
  return specifier.startsWith(".") ? resolve(dirname(file), specifier.replace(/\.[jt]s$/, ".d.ts")) : null;
}

/** Statements end with `;` or a closing brace at the end of a line, outside all brackets. */
function statementsOf(text: string): string[] {
  const plain = text.replaceAll(/\/\*[^]*?\*\//g, "").replaceAll(/^\s*\/\/.*$/gm, "");
  const statements: string[] = [];
  let depth = 0;
  let begin = 0;
  for (let at = 0; at < plain.length; at++) {
    const char = plain[at] as string;
    if ("{([".includes(char)) depth += 1;
    if ("})]".includes(char)) depth -= 1;
    const isEnd = depth === 0 && (char === ";" || char === "}") && (plain[at + 1] ?? "\n") === "\n";
    if (!isEnd) continue;
    statements.push(
      plain
        .slice(begin, at + 1)
        .replaceAll(/\n\s*\n/g, "\n")
        .trim(),
    );
    begin = at + 1;
  }
  return statements;
}
