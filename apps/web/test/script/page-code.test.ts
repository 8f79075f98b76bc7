// @vitest-environment happy-dom
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { scriptOf } from "../../script/page-code.ts";
import { sentText } from "../../script/sent-text.ts";
import { jobQuery } from "../../src/services/documents/job.ts";
import { askEarly, askForJob } from "../../src/services/early-job.ts";
import { createGraphqlClient } from "../../src/services/graphql-client.ts";
import { emptyJob } from "../support/job-fixture.ts";

const page = {
  path: "^/jobs/(?!new/?$)([^/]+)/?$",
  query: sentText(jobQuery, { id: "" }),
  files: ["assets/page.js", "assets/page.css"],
};

/** Bodies of what was sent, in order; each is answered by the next of `answers`. */
let sent: string[];
let answers: Response[];

beforeEach(() => {
  sent = [];
  answers = [];
  vi.stubGlobal("fetch", (_url: string, { body }: { body: string }) => {
    sent.push(body);
    return Promise.resolve(answers.shift());
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  globalThis.hopwiseEarlyCall = undefined;
  document.head.replaceChildren();
});

function runScript(path: string): void {
  const window = { location: { pathname: path }, document, fetch, hopwiseEarlyCall: globalThis.hopwiseEarlyCall };
  runInNewContext(scriptOf([page]), window);
  globalThis.hopwiseEarlyCall = window.hopwiseEarlyCall;
}

const answered = (name: string) => Response.json({ data: { job: { ...emptyJob, name, __typename: "Job" } } });

test("what the script has asked is, to the letter, what the page asks first, and is not asked twice", async () => {
  answers = [answered("early"), answered("late")];
  runScript("/jobs/job_1");
  const client = createGraphqlClient(() => {});
  askEarly(client, "/jobs/job_1");
  expect((await askForJob(client, "job_1")).data?.job?.name).toBe("early");
  expect(sent).toHaveLength(1);
  expect((await askForJob(client, "job_1")).data?.job?.name).toBe("late");
  expect(sent[1]).toBe(sent[0]);
});

test("an answer that is none, or is for another job, is not taken: the page asks by itself", async () => {
  answers = [Response.json({ title: "refused" }, { status: 401 }), answered("asked again")];
  runScript("/jobs/job_1");
  const client = createGraphqlClient(() => {});
  expect((await askForJob(client, "job_1")).data?.job?.name).toBe("asked again");

  answers = [answered("of 2"), answered("of 3")];
  runScript("/jobs/job_2");
  expect((await askForJob(client, "job_3")).data?.job?.name).toBe("of 3");
  expect(sent).toHaveLength(4);
});

test("the code of the page is named for its addresses alone", () => {
  for (const path of ["/jobs", "/jobs/new", "/jobs/new/", "/jobs/job_1/embeddings"]) runScript(path);
  expect(document.head.querySelectorAll("link")).toHaveLength(0);
  expect(sent).toEqual([]);
  answers = [answered("early")];
  runScript("/jobs/job_1/");
  const links = [...document.head.querySelectorAll("link")].map(({ rel, href }) => [rel, new URL(href).pathname]);
  expect(links).toEqual([
    ["modulepreload", "/assets/page.js"],
    ["preload", "/assets/page.css"],
  ]);
});
