import { createTransport } from "nodemailer";
import { mailText } from "./mail-text.ts";

export interface MailerOptions {
  /** smtp:// or smtps://, with user and password where the server asks for them */
  readonly smtpUrl: string;
  /** Plain address that messages come from */
  readonly from: string;
  readonly publicUrl: string;
  readonly timeoutMs: number;
}

export interface Mail {
  readonly to: string;
  /** The delivery's: the same in each attempt, so that a receiver knows a repeat. */
  readonly id: string;
  /** Name of the subscription */
  readonly name: string;
  /** JSON of the delivery */
  readonly body: string;
  readonly signal: AbortSignal;
}

/** What came of an attempt: reply code of SMTP, what went wrong, and whether another attempt can end better. */
export interface MailOutcome {
  readonly status: number | null;
  readonly error: string | null;
  readonly isFinal: boolean;
}

/** Sends messages by the operator's SMTP server. */
export class Mailer {
  readonly #options: MailerOptions;
  readonly #transport: ReturnType<typeof smtpTransport>;
  readonly #secrets: readonly string[];

  constructor(options: MailerOptions) {
    this.#options = options;
    const password = decodeURIComponent(new URL(options.smtpUrl).password);
    this.#secrets = [password, Buffer.from(password).toString("base64")].filter((secret) => secret !== "");
    this.#transport = smtpTransport(options);
  }

  /** The address that messages come from. */
  get from(): string {
    return this.#options.from;
  }

  async send({ to, id, name, body, signal }: Mail): Promise<MailOutcome> {
    const { from, publicUrl, timeoutMs } = this.#options;
    const domain = from.slice(from.indexOf("@") + 1);
    // Each wait has its limit; this one is for all of them together.
    const isOver = AbortSignal.timeout(timeoutMs);
    try {
      const { response } = await this.#transport.sendMail({
        // As objects and not as text: nothing in them is read as a list or a name.
        from: { name: "Hopwise", address: from },
        to: { name: "", address: to },
        messageId: `<${id}@${domain}>`,
        headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
        ...mailText(body, name, publicUrl),
        signal: AbortSignal.any([signal, isOver]),
      });
      return { status: codeOf(response ?? ""), error: null, isFinal: true };
    } catch (error) {
      if (!isOver.aborted) return this.#outcomeOf(error);
      return { status: null, error: `There was no answer within ${timeoutMs / 1000} s.`, isFinal: false };
    }
  }

  #outcomeOf(error: unknown): MailOutcome {
    const found = error instanceof Error ? error : new Error("The message could not be sent.");
    const { responseCode, command } = found as { responseCode?: unknown; command?: unknown };
    const status = typeof responseCode === "number" ? responseCode : null;
    // What the server says of this receiver or this message for good; of the sign-in the operator can mend it.
    const isOfMessage = command === "RCPT TO" || command === "DATA";
    const isFinal = status !== null && status >= 500 && isOfMessage;
    const text = this.#secrets.reduce((rest, secret) => rest.replaceAll(secret, "…"), found.message);
    return { status, error: text.slice(0, 500), isFinal };
  }
}

function smtpTransport({ smtpUrl, timeoutMs }: MailerOptions) {
  const { hostname, port, protocol, username, password } = new URL(smtpUrl);
  const isSecure = protocol === "smtps:";
  const [user, pass] = [username, password].map(decodeURIComponent) as [string, string];
  return createTransport({
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? (isSecure ? 465 : 587) : Number(port),
    secure: isSecure,
    // A password is not sent where others could read it.
    requireTLS: !isSecure && user !== "" && !isLoopback(hostname),
    ...(user !== "" && { auth: { user, pass } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

function codeOf(response: string): number | null {
  const found = /^\d{3}/.exec(response);
  return found ? Number(found[0]) : null;
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
