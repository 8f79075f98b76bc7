import type { CommandShape, Values } from "./command-shape.ts";

/** `command:word` for each word that leads from one command to another, by the command that it leads to. */
export function steps(shapes: readonly CommandShape[]): { readonly from: string; readonly to: string }[] {
  return shapes.flatMap(({ path, commands }) =>
    commands.map(({ name }) => ({ from: `${path}:${name}`, to: path === "" ? name : `${path} ${name}` })),
  );
}

/** `command:option` for each option whose value is the next word; those of the program count for all commands. */
export function valuedOptions(shapes: readonly CommandShape[]): string[] {
  const [program] = shapes;
  return shapes.flatMap(({ path, options }) =>
    [...options, ...(path === "" ? [] : (program?.options ?? []))]
      .filter(({ takesValue }) => takesValue)
      .flatMap(({ names }) => names.map((name) => `${path}:${name}`)),
  );
}

/** Text that a shell takes as one word. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Options of a command and those of the program. */
export function allOptions(shape: CommandShape, shapes: readonly CommandShape[]) {
  const [program] = shapes;
  const own = new Set(shape.options.flatMap(({ names }) => names));
  const others = shape.path === "" ? [] : (program?.options ?? []);
  return [...shape.options, ...others.filter(({ names }) => !names.some((name) => own.has(name)))];
}

/** Branches of a `case` over `command:option`, for options whose values are known. */
export function optionCases(shapes: readonly CommandShape[], textOf: (values: NonNullable<Values>) => string): string {
  const cases = shapes.flatMap((shape) =>
    allOptions(shape, shapes).flatMap(({ names, values }) => {
      const patterns = names.map((name) => quoted(`${shape.path}:${name}`)).join(" | ");
      return values ? [`      ${patterns}) ${textOf(values)} ;;`] : [];
    }),
  );
  return cases.join("\n");
}
