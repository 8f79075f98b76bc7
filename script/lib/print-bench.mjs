// Reads the JSON line of a benchmark from stdin and prints it as a table.
import { readFileSync } from "node:fs";

const { topic, figure, unit, better, ceiling, details } = JSON.parse(readFileSync(0, "utf8"));
const text = (value) =>
  typeof value === "number" ? Number(value.toPrecision(5)).toLocaleString("en") : JSON.stringify(value);
const rows = [
  [topic, `${text(figure)} ${unit} (${better} is better)`],
  ...(ceiling === null ? [] : [["ceiling", `${text(ceiling)} ${unit}, measured in the same run`]]),
  ...Object.entries(details).map(([name, value]) => [`  ${name}`, text(value)]),
];
const width = Math.max(...rows.map(([name]) => name.length));
for (const [name, value] of rows) console.log(`${name.padEnd(width)}  ${value}`);
