import type { CommandShape, OptionShape } from "./command-shape.ts";
import { steps, valuedOptions } from "./shell-words.ts";

/** Completion for fish 3 or newer, with descriptions. */
export function fishCompletion(shapes: readonly CommandShape[]): string {
  const lines = shapes.flatMap((shape) => [
    ...shape.commands.map(({ name, description }) => commandLine(shape.path, name, description)),
    ...shape.options.map((option) => optionLine(shape.path, option)),
    ...(shape.values?.kind === "files" ? [`complete -c hopwise -n ${at(shape.path)} -F`] : []),
    ...(shape.values?.kind === "words"
      ? [`complete -c hopwise -n ${at(shape.path)} -a ${quoted(shape.values.words.join(" "))}`]
      : []),
  ]);
  return `# Completion of hopwise for fish: hopwise completion fish | source
function __hopwise_command
    set -l command ""
    set -l skips 0
    for word in (commandline -opc)[2..-1]
        if test $skips = 1
            set skips 0
            continue
        end
        switch "$command:$word"
            case ${valuedOptions(shapes).map(quoted).join(" ")}
                set skips 1
${steps(shapes)
  .map(({ from, to }) => `            case ${quoted(from)}\n                set command ${quoted(to)}`)
  .join("\n")}
        end
    end
    echo "$command"
end
function __hopwise_at
    test (__hopwise_command) = "$argv[1]"
end
complete -c hopwise -f
${lines.join("\n")}
`;
}

function commandLine(path: string, name: string, description: string): string {
  return `complete -c hopwise -n ${at(path)} -a ${quoted(name)} -d ${quoted(description)}`;
}

/** Options of the program are there for every command. */
function optionLine(path: string, { names, description, takesValue, values }: OptionShape): string {
  const flags = names.map((name) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  const condition = path === "" ? "" : ` -n ${at(path)}`;
  const value = takesValue ? valueFlags(values) : "";
  return `complete -c hopwise${condition} ${flags.join(" ")}${value} -d ${quoted(description)}`;
}

function valueFlags(values: OptionShape["values"]): string {
  if (values?.kind === "files") return " -r -F";
  return values ? ` -x -a ${quoted(values.words.join(" "))}` : " -x";
}

function at(path: string): string {
  return quoted(`__hopwise_at ${quoted(path)}`);
}

/** fish has two escapes in single quotes, and no others. */
function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
