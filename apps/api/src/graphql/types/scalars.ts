import { AppError } from "@hopwise/contracts";
import { builder } from "../base/builder.ts";

builder.scalarType("SafeInt", {
  description: "A whole number of at most 2^53 − 1, as a JSON number",
  serialize: toSafeInteger,
  parseValue: (value) => toSafeInteger(value as number),
});

builder.scalarType("JSON", {
  description: "Any JSON value",
  serialize: (value) => value,
  parseValue: (value) => value,
});

builder.scalarType("DateTime", {
  description: "ISO 8601, UTC",
  serialize: (value) => (value instanceof Date ? value.toISOString() : value),
  parseValue: (value) => {
    const date = new Date(String(value));
    if (Number.isNaN(date.getTime())) throw new TypeError(`${JSON.stringify(value)} is not an ISO 8601 time.`);
    return date;
  },
});

for (const [name, where] of [
  ["JobSpecInput", "GET /v1/schemas/job-spec.json"],
  ["DatasetSpecInput", "GET /v1/schemas/dataset-spec.json"],
] as const) {
  builder.scalarType(name, {
    description: `An object of the JSON Schema at ${where}; its component options come from the catalogue`,
    serialize: () => {
      throw new TypeError(`${name} is input only.`);
    },
    parseValue: (value) => {
      if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
      throw new TypeError(`${name} must be an object; its schema is at ${where}.`);
    },
  });
}

function toSafeInteger(value: number | bigint): number {
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  throw new AppError("INTERNAL", `${value} cannot be a SafeInt.`);
}
