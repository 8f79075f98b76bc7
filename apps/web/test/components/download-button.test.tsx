import { MantineProvider } from "@mantine/core";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { DownloadButton } from "../../src/components/DownloadButton/DownloadButton.tsx";
import { RenamedExport } from "../../src/components/RenamedExport/RenamedExport.tsx";

function shown(props: { ready: boolean; make?: () => Promise<string>; isOwed?: boolean; sha256?: string }): string {
  const file = { label: "CSV", url: "/v1/jobs/job_x/embeddings?format=csv", bytes: null };
  return renderToStaticMarkup(
    <MantineProvider>
      <DownloadButton {...file} {...props} />
    </MantineProvider>,
  );
}

it("a file that is there is a link for everybody", () => {
  expect(shown({ ready: true })).toMatch(/<a [^>]*href="\/v1\/jobs\/job_x\/embeddings\?format=csv"/);
});

it("a file that is there says its checksum on hover", () => {
  expect(shown({ ready: true, sha256: "ab".repeat(32) })).toContain(`title="SHA-256 ${"ab".repeat(32)}"`);
});

it("a file that the job makes by itself is promised, and nobody is offered to make it", () => {
  const owed = shown({ ready: false, make: async () => "", isOwed: true });
  expect(owed).toContain("CSV comes with the job’s end");
  expect(owed).toContain("disabled");
  expect(owed).not.toContain("Make CSV");
});

it("a file that is not made yet can be asked for by who may have it made, and by nobody else", () => {
  expect(shown({ ready: false, make: async () => "" })).not.toContain("disabled");
  const forViewer = shown({ ready: false });
  expect(forViewer).toContain("disabled");
  expect(forViewer).toContain("an editor can have it made");
});

it("other names of columns are behind a button that says so", () => {
  const markup = renderToStaticMarkup(
    <MantineProvider>
      <RenamedExport make={async () => ""} />
    </MantineProvider>,
  );
  expect(markup).toContain("Other names of columns");
  expect(markup).toContain('aria-expanded="false"');
});
