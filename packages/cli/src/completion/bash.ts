import type { CommandShape, Values } from "./command-shape.ts";
import { allOptions, optionCases, quoted, steps, valuedOptions } from "./shell-words.ts";

/** Completion for bash 4 or newer; it works without the package bash-completion. */
export function bashCompletion(shapes: readonly CommandShape[]): string {
  return `# Completion of hopwise for bash: source <(hopwise completion bash)
_hopwise() {
  local current=\${COMP_WORDS[COMP_CWORD]} command= option= word words= files=
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    # --option=value comes as three words.
    [[ $word == = ]] && continue
    if [[ -n $option ]]; then
      option=
      continue
    fi
    case "$command:$word" in
      ${valuedOptions(shapes).map(quoted).join(" | ")}) option=$word ;;
${steps(shapes)
  .map(({ from, to }) => `      ${quoted(from)}) command=${quoted(to)} ;;`)
  .join("\n")}
    esac
  done
  [[ $current == = ]] && current=
  if [[ -n $option ]]; then
    case "$command:$option" in
${optionCases(shapes, valuesText)}
      *) return ;;
    esac
  else
    case "$command" in
${shapes.map((shape) => `      ${quoted(shape.path)}) ${assignment(shape, shapes)} ;;`).join("\n")}
    esac
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  [[ -n $files && $current != -* ]] || return 0
  compopt -o filenames 2>/dev/null
  mapfile -t -O "\${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$current")
}
complete -F _hopwise hopwise
`;
}

function assignment(shape: CommandShape, shapes: readonly CommandShape[]): string {
  const options = allOptions(shape, shapes).flatMap(({ names }) => names);
  const words = [...shape.commands.map(({ name }) => name), ...wordsOf(shape.values), ...options];
  return `words=${quoted(words.join(" "))}${shape.values?.kind === "files" ? " files=1" : ""}`;
}

function valuesText(values: NonNullable<Values>): string {
  return values.kind === "files" ? "files=1" : `words=${quoted(values.words.join(" "))}`;
}

function wordsOf(values: Values): readonly string[] {
  return values?.kind === "words" ? values.words : [];
}
