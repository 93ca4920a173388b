import { createHash } from "node:crypto";
import { realpathSync, unlinkSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Held by another starter; the message is the one line to print. */
export class StateDirHeld extends Error {}

/**
 * Takes the state folder for this process. The lock is a listening socket, so it dies with its holder, whatever ends
 * it; asked, it answers the holder's process id. Answers the function that lets go.
 */
export async function lockStateDir(stateDir: string): Promise<() => Promise<void>> {
  const real = realpathSync(stateDir);
  const name = socketName(real);
  for (let tries = 0; tries < 20; tries++) {
    const server = await listen(name);
    if (server) return () => new Promise((resolve) => server.close(() => resolve()));
    const holder = await askHolder(name);
    if (holder !== "gone") {
      throw new StateDirHeld(
        `Another Backstop (process ${holder}) is using ${real}. Stop it, or set BACKSTOP_STATE_DIR to another folder.`,
      );
    }
    if (!name.startsWith("\0")) unlinkSync(name);
  }
  throw new StateDirHeld(`Cannot get hold of ${real}: its lock ${name} is neither held nor free.`);
}

/** The same, waiting for another holder to let go. */
export async function waitForLock(folder: string): Promise<() => Promise<void>> {
  for (;;) {
    try {
      return await lockStateDir(folder);
    } catch (error) {
      if (!(error instanceof StateDirHeld)) throw error;
      await sleep(200);
    }
  }
}

/**
 * On Linux an abstract socket: no file that could be left over. The name fills the whole field, since what follows a
 * shorter one differs between Node 20 (zeros count) and later ones.
 */
function socketName(realDir: string): string {
  const hash = createHash("sha256").update(realDir).digest("hex");
  if (process.platform === "linux") return `\0${`backstop-${hash}-`.padEnd(107, "x")}`;
  return join(tmpdir(), `backstop-${process.getuid?.() ?? 0}-${hash.slice(0, 16)}.sock`);
}

function listen(name: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      socket.on("error", () => {});
      socket.end(String(process.pid));
    });
    server.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" ? resolve(undefined) : reject(error),
    );
    server.listen(name, () => {
      server.unref();
      resolve(server);
    });
  });
}

/** The holder's process id, `unknown` where it is too busy to say, `gone` where nobody listens any more. */
function askHolder(name: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = "";
    const socket = connect(name);
    socket.setTimeout(2_000, () => socket.destroy());
    socket.on("data", (data) => {
      answer += data.toString("latin1");
    });
    socket.once("error", () => resolve("gone"));
    socket.once("close", () => resolve(/^\d+$/.test(answer) ? answer : "unknown"));
  });
}
