import { Argument } from "commander";
import { bashCompletion } from "../completion/bash.ts";
import { type CommandShape, commandShapes } from "../completion/command-shape.ts";
import { fishCompletion } from "../completion/fish.ts";
import { zshCompletion } from "../completion/zsh.ts";
import type { AddCommand } from "../context.ts";

const writers = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } satisfies Record<
  string,
  (shapes: readonly CommandShape[]) => string
>;
type Shell = keyof typeof writers;

export const addCompletion: AddCommand = (program, run) => {
  program
    .command("completion")
    .addArgument(new Argument("<shell>", "which shell").choices(Object.keys(writers)))
    .description("prints what completes commands and options in a shell")
    .addHelpText(
      "after",
      `
bash: add to ~/.bashrc                        source <(hopwise completion bash)
zsh:  add to ~/.zshrc, behind compinit        source <(hopwise completion zsh)
fish: run once                                hopwise completion fish > ~/.config/fish/completions/hopwise.fish`,
    )
    .action(
      run(async ({ output }, shell: Shell) => {
        const script = writers[shell](commandShapes(program));
        output.result({ shell, script }, script.trimEnd());
      }),
    );
};
