export interface HelpPage {
  readonly name: string;
  readonly title: string;
  /** HTML of the content */
  readonly body: string;
  /** All pages, in their order */
  readonly links: readonly { readonly name: string; readonly title: string }[];
}

/** A page of help as HTML: the list of all pages beside the content. */
export function helpPage({ name, title, body, links }: HelpPage): string {
  const items = links.map((link) => {
    const current = link.name === name ? ' aria-current="page"' : "";
    return `<li><a href="/help/${link.name}.html"${current}>${escapeHtml(link.title)}</a></li>`;
  });
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="/help.css" />
    <script src="/color-scheme.js"></script>
    <title>${escapeHtml(title)} · Hopwise</title>
  </head>
  <body>
    <nav aria-label="Help">
      <p><a href="/">To the dashboard</a></p>
      <ul>
        ${items.join("\n        ")}
      </ul>
    </nav>
    <main>
${body}
    </main>
  </body>
</html>
`;
}

export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
