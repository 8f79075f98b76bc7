/** A page in Markdown. */
interface Page {
  readonly name: string;
  readonly text: string;
}

const head = `# Hopwise

> A self-hosted service that trains graph neural networks: upload a graph, submit a job, download embeddings and predictions under your own ids. It is driven by REST, GraphQL, the command line hopwise, clients for TypeScript and Python, and an MCP server (npx hopwise mcp).

Every call needs an API key as \`Authorization: Bearer hw_…\`. Errors are application/problem+json with a code, what was found, what was expected, and a JSON pointer.

## API

- [OpenAPI](/openapi.json): every call of REST, with its errors
- [Job spec](/v1/schemas/job-spec.json): JSON Schema of what POST /v1/jobs takes (with a key)
- [Dataset spec](/v1/schemas/dataset-spec.json): JSON Schema of how files become a graph (with a key)
- [Catalogue](/v1/catalog): models, samplers, tasks and their options on this service (with a key)
`;

/** What language models read first (https://llmstxt.org): what this is, and where to read on. */
export function llmsText(pages: readonly Page[]): string {
  const lines = pages
    .filter(({ name }) => name !== "changelog")
    .map(({ name, text }) => `- [${titleOf(text)}](/help/${name}.md)${described(text)}`);
  return `${head}\n## Guides\n\n${lines.join("\n")}\n`;
}

function titleOf(text: string): string {
  return /^# (.+)$/m.exec(text)?.[1] ?? "Help";
}

/** The first sentence of the first paragraph, its links as plain words; nothing for a page that is a table. */
function described(text: string): string {
  const isProse = (part: string) => /^[A-Z`*[“"]/.test(part) && !part.startsWith("```") && part.length > 40;
  const paragraph = text.split(/\n{2,}/).find(isProse) ?? "";
  const words = paragraph.replaceAll(/\s+/g, " ").replaceAll(/\[([^\]]+)\]\([^)]*\)/g, "$1");
  const sentence = /^.*?\.(?= [A-Z`*(“"]|$)/.exec(words)?.[0] ?? words;
  return sentence === "" ? "" : `: ${sentence}`;
}
