import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { sendByXhr } from "../../src/upload/send-by-xhr.ts";

// What a browser's request does when its network goes: it takes the body, and says nothing more.
class Request extends EventTarget {
  static latest: Request;
  readonly upload = new EventTarget();
  readonly status = 201;
  readonly responseText = "{}";
  isAborted = false;
  constructor() {
    super();
    Request.latest = this;
  }
  open() {}
  setRequestHeader() {}
  getResponseHeader() {
    return null;
  }
  send() {}
  abort() {
    this.isAborted = true;
    this.dispatchEvent(new Event("abort"));
    this.dispatchEvent(new Event("loadend"));
  }
  sent(loaded: number) {
    this.upload.dispatchEvent(Object.assign(new Event("progress"), { loaded }));
  }
  answer() {
    this.dispatchEvent(new Event("load"));
    this.dispatchEvent(new Event("loadend"));
  }
}

const files = [new File([new Uint8Array(1000)], "edges.csv")];
const send = (signal?: AbortSignal) =>
  sendByXhr(Request as unknown as Parameters<typeof sendByXhr>[0], { url: "/", headers: {}, files, signal });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("an upload that has sent nothing for a minute is given up as a lost connection", async () => {
  const sending = send();
  const refused = expect(sending).rejects.toThrow(/Nothing could be sent for a minute: the connection was lost/);
  Request.latest.sent(100);
  vi.advanceTimersByTime(59_000);
  Request.latest.sent(200);
  vi.advanceTimersByTime(59_000);
  expect(Request.latest.isAborted).toBe(false);
  vi.advanceTimersByTime(2000);
  expect(Request.latest.isAborted).toBe(true);
  await refused;
});

test("an upload that is sent waits for the answer as long as the service needs", async () => {
  const sending = send();
  Request.latest.sent(1200);
  vi.advanceTimersByTime(10 * 60_000);
  Request.latest.answer();
  expect((await sending).status).toBe(201);
  expect(vi.getTimerCount()).toBe(0);
});

test("an upload that is cancelled ends by the reason given, and leaves no timer", async () => {
  const controller = new AbortController();
  const sending = send(controller.signal);
  const refused = expect(sending).rejects.toThrow("not wanted any more");
  controller.abort(new Error("not wanted any more"));
  await refused;
  expect(vi.getTimerCount()).toBe(0);
});
