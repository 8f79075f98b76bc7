/** One plain address: no names, quotes, comments, lists or anything else that two programs could read differently. */
const plain =
  /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@((?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)*[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)$/;

const scheme = "mailto:";

/** RFC 5321: of the whole, and of what stands before the @ */
const longest = { address: 254, local: 64 };

/** Whether e-mail can be sent there: ASCII, as every server takes it. */
export function isMailAddress(text: string): boolean {
  return text.length <= longest.address && text.indexOf("@") <= longest.local && plain.test(text);
}

/** The address that a subscription names; null: it is a webhook. */
export function mailAddressOf(url: string): string | null {
  return url.toLowerCase().startsWith(scheme) ? url.slice(scheme.length) : null;
}
