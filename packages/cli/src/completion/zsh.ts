import type { CommandShape, Values } from "./command-shape.ts";
import { allOptions, optionCases, quoted, steps, valuedOptions } from "./shell-words.ts";

/** Completion for zsh with descriptions, sourced or as a file `_hopwise` in a folder of $fpath. */
export function zshCompletion(shapes: readonly CommandShape[]): string {
  return `#compdef hopwise
# Completion of hopwise for zsh: source <(hopwise completion zsh), behind compinit
_hopwise() {
  local command= option= word
  local -a commands options values
  for word in "\${(@)words[2,CURRENT-1]}"; do
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
  if [[ -n $option ]]; then
    case "$command:$option" in
${optionCases(shapes, valuesText)}
      *) _message value ;;
    esac
    return
  fi
  case "$command" in
${shapes.map((shape) => commandCase(shape, shapes)).join("\n")}
  esac
  if [[ $PREFIX == -* ]]; then
    _describe -o option options
    return
  fi
  (( $#commands )) && _describe command commands
  (( $#values )) && compadd -a values
}
if [[ $funcstack[1] == _hopwise ]]; then
  _hopwise "$@"
else
  compdef _hopwise hopwise
fi
`;
}

function commandCase(shape: CommandShape, shapes: readonly CommandShape[]): string {
  const commands = shape.commands.map(({ name, description }) => quoted(`${name}:${description}`));
  const options = allOptions(shape, shapes).flatMap(({ names, description }) =>
    names.map((name) => quoted(`${name}:${description}`)),
  );
  const values = shape.values?.kind === "words" ? shape.values.words.map(quoted) : [];
  const files = shape.values?.kind === "files" ? `\n      [[ $PREFIX == -* ]] || _files` : "";
  return `    ${quoted(shape.path)})
      commands=(${commands.join(" ")})
      values=(${values.join(" ")})
      options=(${options.join(" ")})${files}
      ;;`;
}

function valuesText(values: NonNullable<Values>): string {
  return values.kind === "files" ? "_files" : `compadd -- ${values.words.map(quoted).join(" ")}`;
}
