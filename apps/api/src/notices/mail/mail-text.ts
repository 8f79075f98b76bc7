import { z } from "zod";

/** What of a delivery's JSON a message says. */
const told = z.object({
  event: z.string(),
  message: z.string(),
  at: z.string(),
  job: z.object({ url: z.string() }).nullable(),
  /** Left out by versions of the service that told of jobs alone. */
  sweep: z.object({ url: z.string() }).nullish(),
});

export interface MailText {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const longestSubject = 150;

/**
 * A delivery's JSON as a message for people.
 *
 * @param name of the subscription: it says why the message came
 * @param publicUrl where subscriptions are removed
 */
export function mailText(body: string, name: string, publicUrl: string): MailText {
  const { message, at, job, sweep } = told.parse(JSON.parse(body));
  const why = `You get this by the subscription “${oneLine(name)}”; an admin can remove it.`;
  const settings = `${publicUrl}/notifications`;
  const about = sweep ?? job;
  const links = about ? [about.url, settings] : [settings];
  const lines = [plainText(message), "", ...(about ? [about.url, ""] : []), `At ${at}.`, why, settings];
  const html = [
    `<p>${escaped(plainText(message))}</p>`,
    ...links.map((link) => `<p><a href="${escaped(link)}">${escaped(link)}</a></p>`),
    `<p>At ${escaped(at)}. ${escaped(why)}</p>`,
  ];
  return { subject: subjectOf(message), text: `${lines.join("\n")}\n`, html: html.join("\n") };
}

function subjectOf(message: string): string {
  const line = `Hopwise: ${oneLine(message)}`;
  return line.length <= longestSubject ? line : `${line.slice(0, longestSubject - 1)}…`;
}

/** In a header a line's end would begin another header. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
}

/** With its line ends, and no other character that a terminal or reader would obey. */
function plainText(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]/gu, " ");
}

function escaped(text: string): string {
  const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replaceAll(/[&<>"]/g, (character) => entities[character] as string);
}
