import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";

/** Whether a shell is installed here. */
export function hasShell(shell: string): boolean {
  return spawnSync(shell, ["-c", "exit 0"], { stdio: "ignore" }).status === 0;
}

const run = async (command: string, args: readonly string[], cwd: string) =>
  (await promisify(execFile)(command, args, { cwd, timeout: 60_000 })).stdout.trimEnd().split("\n");

/** What bash offers for the last of the words, which may be empty. */
export function bashOffers(script: string, words: readonly string[], cwd: string): Promise<string[]> {
  const ask = 'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _hopwise; printf "%s\\n" "${COMPREPLY[@]}"';
  return run("bash", ["--norc", "-c", `source ${script}; ${ask}`, "bash", ...words], cwd);
}

/** What fish offers behind a line, without descriptions. */
export async function fishOffers(script: string, line: string, cwd: string): Promise<string[]> {
  const offers = await run("fish", ["--no-config", "-c", `source ${script}; complete -C $argv[1]`, line], cwd);
  return offers.map((offer) => offer.split("\t")[0] ?? "");
}

/** Types lines into an interactive zsh, presses the tabulator behind each, and reads what the line has become. */
export function zshLines(script: string, lines: readonly string[], cwd: string): Promise<string[]> {
  const program = `
    zmodload zsh/zpty
    zpty shell zsh -f -i
    zpty -w shell 'PS1=; unsetopt beep; autoload -U compinit; compinit -u -D; source ${script}'
    zpty -w shell 'show() { print -r -- "LINE""<$BUFFER>"; BUFFER= }; zle -N show; bindkey "^X" show; print RE""ADY'
    local out
    zpty -r shell out '*READY*'
    for line in "$@"; do
      zpty -w -n shell "$line"$'\\t\\C-x'
      zpty -r shell out '*LINE<*>*'
      print -r -- "\${\${out##*LINE<}%%>*}|"
    done
    zpty -d shell`;
  return run("zsh", ["-f", "-c", program, "zsh", ...lines], cwd);
}
