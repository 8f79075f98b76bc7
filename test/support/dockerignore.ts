/**
 * Whether a `.dockerignore` keeps a file out of the build, by the rules of the engine's own matcher
 * (moby/patternmatcher): patterns are of whole paths, what lies in a matched folder is matched, the last pattern that
 * matches decides.
 *
 * @param text  of the file
 * @returns a predicate on paths relative to the context, with `/`
 */
export function dockerignore(text: string): (path: string) => boolean {
  const rules = text.split(/\r?\n/).flatMap(ruleOf);
  return (path) => {
    const parts = path.split("/");
    const selfAndParents = parts.map((_, i) => parts.slice(0, i + 1).join("/"));
    let isIgnored = false;
    for (const { pattern, isException } of rules) {
      if (isException === isIgnored && selfAndParents.some((name) => pattern.test(name))) isIgnored = !isException;
    }
    return isIgnored;
  };
}

interface Rule {
  readonly pattern: RegExp;
  readonly isException: boolean;
}

function ruleOf(line: string): Rule[] {
  if (line.startsWith("#")) return [];
  const trimmed = line.trim();
  const isException = trimmed.startsWith("!");
  const glob = trimmed
    .slice(isException ? 1 : 0)
    .trim()
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .join("/");
  return glob === "" ? [] : [{ pattern: patternOf(glob), isException }];
}

/** `**` is any number of folders, `*` and `?` stay within a name, `\` takes what follows as it is. */
function patternOf(glob: string): RegExp {
  const source = glob.replaceAll(/\*\*\/?|\*|\?|\\.|[.$()+{}|^]/g, (token, at: number) => {
    if (token.startsWith("**")) return at + token.length === glob.length ? ".*" : "(.*/)?";
    if (token === "*") return "[^/]*";
    if (token === "?") return "[^/]";
    return token.startsWith("\\") ? token : `\\${token}`;
  });
  return new RegExp(`^${source}$`);
}
