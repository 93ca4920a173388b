import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type ProxyMode, startProxy, type TestProxy } from "./proxy";

// A target that says back what it hears, and remembers it.
let target: Server;
let proxy: TestProxy;
let heard = "";
const open: Socket[] = [];

beforeEach(async () => {
  heard = "";
  target = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      heard += chunk;
      socket.write(`<${chunk}>`);
    });
  });
  await new Promise<void>((resolve) => target.listen(0, "127.0.0.1", resolve));
  proxy = await startProxy({ port: (target.address() as AddressInfo).port });
});

afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy();
  await proxy.close();
  await new Promise((resolve) => target.close(resolve));
});

/** Says something and gives what came back until the cut, or within `waitMs`. */
function say(
  text: string,
  waitMs = 300,
  socket = connect(proxy.port, "127.0.0.1"),
): Promise<{ got: string; cut: boolean; socket: Socket }> {
  open.push(socket);
  return new Promise((resolve) => {
    let got = "";
    const end = (cut: boolean) => {
      clearTimeout(timer);
      resolve({ got, cut, socket });
    };
    const timer = setTimeout(() => end(false), waitMs);
    socket.on("data", (chunk) => {
      got += chunk;
    });
    socket.on("error", () => {});
    socket.on("close", () => end(true));
    socket.write(text);
  });
}

test.each<[string, ProxyMode, { heard: string; got: string; cut: boolean }]>([
  ["passes", { kind: "pass" }, { heard: "hello", got: "<hello>", cut: false }],
  [
    "passes in slices",
    { kind: "pass", slice: { bytes: 1, gapMs: 2 } },
    { heard: "hello", got: expect.stringMatching(/^<h/), cut: false },
  ],
  ["swallows", { kind: "black_hole" }, { heard: "", got: "", cut: false }],
  ["cuts before the target hears", { kind: "cut_before_request" }, { heard: "", got: "", cut: true }],
  ["cuts before the reply", { kind: "cut_before_reply" }, { heard: "hello", got: "", cut: true }],
  ["holds the reply", { kind: "hold_reply" }, { heard: "hello", got: "", cut: false }],
  ["cuts in the reply", { kind: "cut_in_reply", bytes: 3 }, { heard: "hello", got: "<he", cut: true }],
  ["cuts after the reply", { kind: "cut_after_reply" }, { heard: "hello", got: "<hello>", cut: true }],
  [
    "leaves alone what does not match",
    { kind: "cut_before_reply", match: "commit" },
    { heard: "hello", got: "<hello>", cut: false },
  ],
  ["cuts what matches", { kind: "cut_before_reply", match: "ell" }, { heard: "hello", got: "", cut: true }],
])("%s", async (_, mode, expected) => {
  proxy.set(mode);
  const { got, cut } = await say("hello");
  expect({ heard, got, cut }).toEqual(expected);
  expect(proxy.seen()).toEqual({ connections: 1, cuts: expected.cut ? 1 : 0 });
});

test("delays both ways", async () => {
  proxy.set({ kind: "pass", delayMs: 100 });
  const startedMs = performance.now();
  const { socket } = await say("x", 150);
  await new Promise((resolve) => socket.once("data", resolve));
  expect(performance.now() - startedMs).toBeGreaterThanOrEqual(195);
});

test("harms a connection that already stands, as often as asked, and then no more", async () => {
  const first = await say("a", 100);
  expect(first.cut).toBe(false);
  proxy.set({ kind: "cut_before_reply" }, 1);
  const cut = proxy.nextCut();
  expect((await say("b", 300, first.socket)).cut).toBe(true);
  await cut;
  expect(heard).toBe("ab");
  expect(await say("c", 100)).toMatchObject({ got: "<c>", cut: false });
});
