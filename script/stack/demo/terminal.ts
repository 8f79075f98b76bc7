/** One line that is drawn over in a terminal, and a line per change where there is none. */
export class ProgressLine {
  readonly #out = process.stdout;
  #isOpen = false;
  #lastLabel = "";

  /** @param fraction 0 to 1, or null when the total is not known */
  update(label: string, fraction: number | null, detail = ""): void {
    if (!this.#out.isTTY) {
      if (label !== this.#lastLabel) this.#out.write(`  ${label}\n`);
      this.#lastLabel = label;
      return;
    }
    const text = `  ${label.padEnd(22)} ${bar(fraction)} ${percent(fraction)}  ${detail}`;
    this.#out.write(`\r\u001b[2K${text.slice(0, Math.max(20, this.#out.columns - 1))}`);
    this.#isOpen = true;
  }

  /** Leaves a finished line behind. */
  done(text: string): void {
    this.close();
    this.#out.write(`  ${text}\n`);
  }

  close(): void {
    if (this.#isOpen) this.#out.write("\r\u001b[2K");
    this.#isOpen = false;
    this.#lastLabel = "";
  }
}

export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function seconds(sinceMs: number): string {
  return `${((Date.now() - sinceMs) / 1000).toFixed(1)} s`;
}

function bar(fraction: number | null): string {
  const width = 24;
  const filled = Math.round((fraction ?? 0) * width);
  return `▕${"█".repeat(filled)}${"░".repeat(width - filled)}▏`;
}

function percent(fraction: number | null): string {
  return fraction === null ? "    " : `${Math.floor(fraction * 100)}%`.padStart(4);
}
