import { expect, it } from "vitest";
import { z } from "zod";
import { readJson } from "@/lib/auth/read-json";

const Any = z.object({ word: z.string() });
const post = (body: BodyInit, headers: Record<string, string> = {}) =>
  new Request("http://localhost/api/marks", { method: "POST", body, headers, duplex: "half" } as RequestInit);

it("gives what was sent, parsed", async () => {
  expect(await readJson(post('{"word":"deploy"}'), Any)).toEqual({ kind: "read", value: { word: "deploy" } });
});

it.each(["", "{", "[]", '{"word":7}', "\u0000"])("says of %j that it is invalid", async (body) => {
  expect((await readJson(post(body), Any)).kind).toBe("invalid");
});

it.each(['{"word":"\\u0000"}', '{"word":"\\ud800"}'])(
  "says of %s, which no text column takes, that it is invalid",
  async (body) => {
    expect(await readJson(post(body), Any)).toMatchObject({ kind: "invalid", issues: [{ path: "word" }] });
  },
);

it("reads no more than the limit of a body that says nothing of its length, and parses none of it", async () => {
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1;
      controller.enqueue(new Uint8Array(1_024));
    },
  });
  expect(await readJson(post(endless), Any, 4_096)).toEqual({ kind: "too_large", limit: 4_096 });
  expect(sent).toBeLessThan(10);
});

it("reads nothing at all of one that says that it is longer", async () => {
  const request = post('{"word":"deploy"}', { "content-length": "5000" });
  expect(await readJson(request, Any, 4_096)).toEqual({ kind: "too_large", limit: 4_096 });
  expect(request.bodyUsed).toBe(false);
});
