import { MantineProvider } from "@mantine/core";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { UnseenPanel } from "../../src/components/UnseenNodes/UnseenNodes.tsx";

const text = "The model has no learned row of 2 nodes (n3, n4).";
const url = "/v1/artifacts/art_rows?blob=unseen.csv";

function shown(unseen: number): string {
  const rows = { known: 5, unseen, unseenIds: ["n3", "n4"].slice(0, unseen), text, url };
  return renderToStaticMarkup(
    <MantineProvider>
      <UnseenPanel rows={rows} />
    </MantineProvider>,
  );
}

it("nodes without a learned row are named in a sentence, with a link to all of them", () => {
  expect(shown(2)).toContain(text);
  expect(shown(2)).toContain(`href="${url}"`);
});

it("nothing is said where every node has its row", () => {
  expect(shown(0)).not.toContain("learned row");
});
