/** Keys, passwords of workers and grants, as this service makes them. */
const tokens = /\bhw[a-z]?\d?[_.][\w.-]{20,}/g;
/** User and password in an address. */
const userInfo = /(\b[a-z][a-z\d+.-]*:\/\/)[^\s/@"]+@/gi;

const replacement = "[redacted]";

/** Takes secrets out of texts before they leave this host. */
export class Redaction {
  readonly #secrets: readonly string[];

  /** @param urls addresses whose passwords are secrets, wherever they stand */
  constructor(urls: readonly string[]) {
    this.#secrets = urls.flatMap(secretsOf).toSorted((a, b) => b.length - a.length);
  }

  clean(text: string): string {
    const withoutOwn = this.#secrets.reduce((rest, secret) => rest.replaceAll(secret, replacement), text);
    return withoutOwn.replaceAll(userInfo, `$1${replacement}@`).replaceAll(tokens, replacement);
  }
}

/** A password as it is written in an address, as it is meant, and as JSON has it. */
function secretsOf(url: string): string[] {
  if (!URL.canParse(url)) return [];
  const { password } = new URL(url);
  if (password === "") return [];
  const meant = decodeURIComponent(password);
  return [...new Set([password, meant, JSON.stringify(meant).slice(1, -1)])];
}
