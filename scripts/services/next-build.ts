import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { waitForLock } from "./lock";

/** What `next build` reads. The engine and the keeper are processes of their own and not part of it. */
const SOURCES = ["app", "components", "lib", "public", "next.config.mjs", "tsconfig.json", "package-lock.json"];
/** In the dist folder: the hash of the sources that it was built from. */
const STAMP = "backstop-sources";
const NOT_BUILT = /^lib\/(engine|keeper)$|\.test\.tsx?$/;

/** Where `next` writes, as next.config.mjs has it. */
export function distDir(root: string, env: NodeJS.ProcessEnv): string {
  return join(root, env.BACKSTOP_DIST_DIR || ".next");
}

/** A hash over names and contents of everything that a build reads. About 30 ms. */
export function sourcesHash(root: string): string {
  const hash = createHash("sha256");
  const visit = (path: string) => {
    if (NOT_BUILT.test(path) || !existsSync(join(root, path))) return;
    for (const entry of listed(join(root, path))) {
      if (entry) visit(`${path}/${entry}`);
      else
        hash
          .update(`${path}\0`)
          .update(readFileSync(join(root, path)))
          .update("\0");
    }
  };
  for (const path of SOURCES) visit(path);
  return hash.digest("hex");
}

/** Entries of a folder in a fixed order; `[null]` for a file. */
function listed(path: string): (string | null)[] {
  try {
    return readdirSync(path).sort();
  } catch {
    return [null];
  }
}

/** Whether the last build is of these sources. */
export function isBuilt(root: string, env: NodeJS.ProcessEnv): boolean {
  const dist = distDir(root, env);
  return existsSync(join(dist, "BUILD_ID")) && readStamp(dist) === sourcesHash(root);
}

/**
 * Builds, unless another starter has done so meanwhile. Throws with the end of the build's output.
 * @returns how long it took, in ms
 */
export async function buildIfStale(
  root: string,
  env: NodeJS.ProcessEnv,
  log: (line: string) => void,
  signal?: AbortSignal,
): Promise<number> {
  if (isBuilt(root, env)) return 0;
  const dist = distDir(root, env);
  mkdirSync(dist, { recursive: true });
  const unlock = await waitForLock(dist);
  try {
    if (isBuilt(root, env)) return 0;
    log("Building the desk (its sources have changed) …");
    return await build(root, env, signal);
  } finally {
    await unlock();
  }
}

/** Builds and remembers of which sources. */
export async function build(root: string, env: NodeJS.ProcessEnv, signal?: AbortSignal): Promise<number> {
  const startedAt = Date.now();
  const hash = sourcesHash(root);
  const stamp = join(distDir(root, env), STAMP);
  // A build that is broken off must not pass for the one before it.
  rmSync(stamp, { force: true });
  const { code, output } = await runBuild(root, env, signal);
  if (code !== 0) throw new Error(`next build failed (exit code ${code}):\n${output.trim()}`);
  writeFileSync(stamp, hash);
  return Date.now() - startedAt;
}

function runBuild(
  root: string,
  env: NodeJS.ProcessEnv,
  signal?: AbortSignal,
): Promise<{ code: number | null; output: string }> {
  const preload = ["--import", "./scripts/services/end-with-parent.mjs"];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...preload, "node_modules/next/dist/bin/next", "build"], {
      cwd: root,
      // Pages are built without any store: nothing of the environment's secrets may end in the output.
      env: { PATH: env.PATH, HOME: env.HOME, CI: env.CI, BACKSTOP_DIST_DIR: env.BACKSTOP_DIST_DIR, ...BUILD_MODE },
      stdio: ["pipe", "pipe", "pipe"],
      detached: true,
    });
    signal?.addEventListener("abort", () => endBuild(child), { once: true });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (data) => {
        output = (output + data).slice(-16_000);
      });
    }
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, output }));
  });
}

/** SIGTERM first, on which `next` ends the type checker that it has put in a group of its own; then all the rest. */
function endBuild(child: ChildProcess): void {
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.exitCode === null && child.pid && process.kill(-child.pid, "SIGKILL"), 1_500);
  child.once("close", () => clearTimeout(timer));
}

const BUILD_MODE = { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" } as const;

function readStamp(dist: string): string | undefined {
  try {
    return readFileSync(join(dist, STAMP), "utf8");
  } catch {
    return undefined;
  }
}
