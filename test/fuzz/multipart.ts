import type { Dice } from "./dice.ts";

/** A body of `multipart/form-data; boundary=edge`, mostly a whole one. */
export function multipartBody(dice: Dice): string {
  const parts = dice.times(dice.pick([0, 1, 1, 2, 70]), () => partOf(dice));
  const text = `${parts.join("")}--edge--\r\n`;
  if (dice.chance(0.15)) return text.slice(0, dice.integer(text.length + 1));
  return dice.chance(0.05) ? text.replaceAll("\r\n", "\n") : text;
}

function partOf(dice: Dice): string {
  const fileName = dice.chance(0.6) ? dice.pick(["edges.csv", "nodes.csv", "a.npz"]) : dice.hostileText();
  const disposition = dice.pick([
    `form-data; name="file"; filename="${fileName}"`,
    `form-data; name="file"; filename="${fileName}"`,
    `form-data; name="${dice.hostileText()}"`,
    `form-data; name="file"; filename*=UTF-8''${dice.hostileText()}`,
    `form-data; filename="${fileName}`,
    dice.hostileText(),
  ]);
  const headers = [`Content-Disposition: ${disposition}`];
  if (dice.chance(0.3)) headers.push(`Content-Type: ${dice.hostileText()}`);
  if (dice.chance(0.05)) headers.push(...dice.times(200, (i) => `x-${i}: 1`));
  const content = dice.pick(["src,dst\na,b\n", "", dice.hostileText(), "x".repeat(100_000)]);
  return `--edge\r\n${headers.join("\r\n")}\r\n\r\n${content}\r\n`;
}
