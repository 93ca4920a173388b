import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { createDecipheriv, createHash, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { get, request } from "node:http";
import { createRequire } from "node:module";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync, gzipSync } from "node:zlib";
import type { Cause, Values } from "./cause";

const folder = (work: (path: string) => unknown) => {
  const path = mkdtempSync(join(tmpdir(), "grouping-"));
  try {
    return work(path);
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
};
const spawned = (command: string, args: string[] = []) => once(spawn(command, args), "exit");
const file = (path: string, { word }: Values) => {
  const made = join(path, `${word}.txt`);
  writeFileSync(made, word, { mode: 0o600 });
  return made;
};

/** A server that does `serve` with each connection, while `ask` asks it. */
async function served(serve: (socket: Socket) => void, ask: (port: number) => Promise<unknown>): Promise<void> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    serve(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    await ask((server.address() as AddressInfo).port);
  } finally {
    server.close();
  }
}

const answered = (port: number, path = "/") => once(get({ host: "127.0.0.1", port, path }), "response");

const FILES: Cause[] = [
  { name: "file to read is missing", fail: ({ path }) => readFile(path) },
  { name: "file to stat is missing", fail: ({ path }) => stat(path) },
  { name: "folder to list is missing", fail: ({ path }) => readdir(path) },
  { name: "folder to write to is missing", fail: ({ path, word }) => writeFileSync(path, word) },
  { name: "folder is read as a file", fail: () => folder((path) => readFileSync(path)) },
  { name: "file is listed as a folder", fail: (v) => folder((path) => rmdirSync(file(path, v))) },
  { name: "file is part of a path", fail: (v) => folder((path) => readFileSync(join(file(path, v), v.word))) },
  { name: "folder is there already", fail: () => folder((path) => mkdirSync(path)) },
  { name: "folder is not empty", fail: (v) => folder((path) => [file(path, v), rmdirSync(path)]) },
  { name: "folder is moved into itself", fail: (v) => folder((path) => renameSync(path, join(path, v.word))) },
  {
    name: "link leads to itself",
    fail: ({ word }) =>
      folder((path) => {
        symlinkSync(join(path, word), join(path, word));
        readFileSync(join(path, word));
      }),
  },
  { name: "file's name is too long", fail: ({ word }) => readFile(`/tmp/${word.repeat(60)}`) },
  { name: "program is missing", fail: ({ n, path }) => spawned(`/opt/backstop-absent-${n}/convert`, [path]) },
  { name: "program on the path is missing", fail: ({ word }) => spawned("backstop-absent", [word]) },
  {
    name: "program may not be run",
    fail(values) {
      const path = join(tmpdir(), `grouping-${process.pid}-${values.n}`);
      mkdirSync(path);
      try {
        writeFileSync(join(path, "convert"), "", { mode: 0o600 });
        execFileSync(join(path, "convert"), [values.word], { stdio: "pipe" });
      } finally {
        rmSync(path, { recursive: true });
      }
    },
  },
  { name: "program ends badly", fail: ({ n }) => execFileSync("sh", ["-c", `exit ${n + 1}`], { stdio: "pipe" }) },
  { name: "module is missing", fail: ({ word }) => createRequire(import.meta.url)(`./rules/${word}.cjs`) },
];

const NET: Cause[] = [
  {
    name: "nothing listens there",
    fail: ({ n }) => once(connect(n + 2, n < 4 ? "127.0.0.1" : "::1"), "connect"),
  },
  { name: "fetch from a closed port", fail: ({ n }) => fetch(`http://127.0.0.1:${n + 2}/`) },
  {
    name: "port is taken",
    fail: () =>
      served(
        () => {},
        (port) => once(createServer().listen(port, "127.0.0.1"), "listening"),
      ),
  },
  {
    name: "server hangs up",
    fail: ({ word }) =>
      served(
        (socket) => socket.end(),
        (port) => answered(port, `/${word}`),
      ),
  },
  {
    name: "server resets the connection",
    fail: () =>
      served(
        (socket) => socket.once("data", () => socket.resetAndDestroy()),
        (port) => answered(port),
      ),
  },
  {
    name: "server speaks no HTTP",
    fail: ({ word }) =>
      served(
        (socket) => socket.end(`${word}\r\n\r\n`),
        (port) => answered(port),
      ),
  },
  { name: "port is beyond all ports", fail: ({ number }) => connect(70_000 + number, "127.0.0.1") },
  { name: "header with a line break", fail: ({ word }) => request({ headers: { "x-zone": `${word}\n` } }) },
  { name: "request's path is not escaped", fail: ({ word }) => request({ path: `/${word} x` }) },
  { name: "request by another protocol", fail: ({ word }) => request(`ftp://${word}.invalid/`) },
  { name: "URL is none", fail: ({ word }) => new URL(word) },
  { name: "fetch of what is no URL", fail: ({ word }) => fetch(`/v1/${word}`) },
  { name: "operation ran out of time", fail: ({ n }) => fetchSlowly(AbortSignal.timeout(5 + n)) },
  { name: "operation was aborted", fail: ({ n }) => sleep(1_000 + n, null, { signal: AbortSignal.abort() }) },
];

const fetchSlowly = (signal: AbortSignal) =>
  served(
    () => {},
    (port) => fetch(`http://127.0.0.1:${port}/`, { signal }),
  );

const LIBRARY: Cause[] = [
  { name: "byte is beyond 255", fail: ({ number }) => Buffer.alloc(4).writeUInt8(number + 256, 0) },
  { name: "offset is beyond the buffer", fail: ({ number }) => Buffer.alloc(4).readUInt8(number) },
  { name: "read beyond a buffer's end", fail: ({ n }) => Buffer.alloc(n).readDoubleLE() },
  { name: "path is no text", fail: ({ number }) => readFile({ number } as unknown as string) },
  { name: "hashed value is no text", fail: ({ number }) => createHash("sha256").update(number as unknown as string) },
  { name: "digest is unknown", fail: ({ word }) => createHash(word) },
  { name: "secrets differ in length", fail: ({ n }) => timingSafeEqual(Buffer.alloc(n), Buffer.alloc(16)) },
  {
    name: "key has a wrong length",
    fail: ({ n }) => createDecipheriv("aes-256-gcm", Buffer.alloc(n), Buffer.alloc(12)),
  },
  {
    name: "sealed text was changed",
    fail: ({ id }) => {
      const opened = createDecipheriv("aes-256-gcm", Buffer.alloc(32), Buffer.alloc(12));
      opened.setAuthTag(Buffer.alloc(16, id));
      opened.update(Buffer.from(id));
      opened.final();
    },
  },
  { name: "packed data has no head", fail: ({ id }) => gunzipSync(id) },
  { name: "packed data is cut off", fail: ({ id }) => gunzipSync(gzipSync(id).subarray(0, -9)) },
  {
    name: "bytes do not decode",
    fail: ({ n }) => new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from([0xf0 + n])),
  },
  { name: "base64 does not decode", fail: ({ word }) => atob(`${word}!`) },
  { name: "what cannot be cloned is cloned", fail: ({ word }) => structuredClone({ [word]: Symbol("zone") }) },
  { name: "numbers are not equal", fail: ({ number }) => assert.equal(number, number + 1) },
  { name: "a balance is asserted", fail: ({ id, number }) => assert(number < 0, `balance of ${id} is ${number}`) },
];

/** What a program of Node runs into outside of its own values: files, programs, the net, the library. */
export const NODE_CAUSES: Cause[] = [...FILES, ...NET, ...LIBRARY];
