import { MantineProvider } from "@mantine/core";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { UploadList } from "../../src/components/UploadList/UploadList.tsx";
import { type UploadItem, withFiles } from "../../src/services/dataset-upload.ts";

const [waiting] = withFiles([], [new File(["src,dst\n1,2\n3,4\n5,6\n"], "edges.csv")]);

function shown(change: Partial<UploadItem>): string {
  const items = [{ ...waiting!, state: "sending" as const, ...change }];
  return renderToStaticMarkup(
    <MantineProvider>
      <UploadList items={items} startedAtMs={Date.now() - 4000} onRemove={() => undefined} isBusy />
    </MantineProvider>,
  );
}

it("a file on its way shows its share, and what is waited for once all of it has come", () => {
  const half = shown({ sentBytes: 10 });
  expect(half).toContain("50 %");
  expect(half).toMatch(/All files: 10 B of 20 B · .* left</);
  const whole = shown({ sentBytes: 20 });
  expect(whole).toContain("All of it has come; the service is putting the file together<");
  expect(whole).not.toMatch(/100 %|left</);
});

it("a file that the service puts together shows how much of that is done, also as the bar", () => {
  const markup = shown({ sentBytes: 20, finishedBytes: 5 });
  expect(markup).toContain("All of it has come; the service is putting the file together: 25 %");
  expect(markup).toContain('aria-valuenow="25"');
});
