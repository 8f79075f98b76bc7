import type { Argument, Command, Option } from "commander";

/** What may stand behind an option, or as an argument of a command. */
export type Values = { readonly kind: "files" } | { readonly kind: "words"; readonly words: readonly string[] } | null;

export interface OptionShape {
  /** `--output`, `-o`: as they are typed */
  readonly names: readonly string[];
  readonly description: string;
  /** Whether the next word is its value */
  readonly takesValue: boolean;
  readonly values: Values;
}

/** A command as its definition has it. */
export interface CommandShape {
  /** Words that lead to it: `""` for the program itself, `"models keep"` */
  readonly path: string;
  readonly description: string;
  readonly options: readonly OptionShape[];
  /** Names and descriptions of what may follow */
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  readonly values: Values;
}

/** The program and all its commands, each before those below it; hidden ones are left out. */
export function commandShapes(command: Command, path: readonly string[] = []): CommandShape[] {
  const below = command
    .createHelp()
    .visibleCommands(command)
    .filter((one) => one.name() !== "help");
  const help: OptionShape = { names: ["--help"], description: "shows help", takesValue: false, values: null };
  const shape = {
    path: path.join(" "),
    description: command.description(),
    options: [...command.options.filter(({ hidden }) => !hidden).map(optionShape), help],
    commands: below.map((one) => ({ name: one.name(), description: one.description() })),
    values: command.registeredArguments.map(valuesOf).find((values) => values !== null) ?? null,
  };
  return [shape, ...below.flatMap((one) => commandShapes(one, [...path, one.name()]))];
}

function optionShape(option: Option): OptionShape {
  const names = [option.long, option.short].filter((name) => name !== undefined && name !== null);
  const { description, required, optional } = option;
  return { names, description, takesValue: required || optional, values: valuesOf(option) };
}

/** Choices are words; what is called a file, a path or a folder is one. */
function valuesOf(one: Option | Argument): Values {
  if (one.argChoices) return { kind: "words", words: one.argChoices };
  const called = "flags" in one ? one.flags : one.name();
  return /\b(file|files|path|folder)\b/.test(called.replace(/^.*?(?=[<[]|$)/, "") || called) ? { kind: "files" } : null;
}
