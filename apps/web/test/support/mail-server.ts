import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

/** A server for e-mail that takes whatever it is sent, and keeps nothing. */
export class MailServer {
  readonly #server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    onData: (stream, _session, done) => {
      stream.resume();
      stream.on("end", () => done());
    },
  });

  static async start(): Promise<MailServer> {
    const mail = new MailServer();
    await new Promise<void>((done) => mail.#server.listen(0, "127.0.0.1", done));
    return mail;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.#server.server.address() as AddressInfo).port}`;
  }

  stop(): Promise<void> {
    return new Promise((done) => this.#server.close(() => done()));
  }
}
