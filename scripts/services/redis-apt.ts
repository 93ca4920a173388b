import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { draftName } from "./files";

const run = promisify(execFile);

/**
 * Downloads and unpacks Redis with a package state of its own: no root, no lock, nothing installed. The packages are
 * checked against the signed index by `apt-get` itself. About 6 s. Answers why it could not, or null.
 */
export async function downloadRedis(
  bin: string,
  log: (line: string) => void,
  signal?: AbortSignal,
): Promise<string | null> {
  if (!isOnPath("apt-get") || !isOnPath("dpkg-deb")) return "none on the PATH, and no apt-get to download one with";
  log("Downloading Redis (once; nothing is installed) …");
  const work = join(bin, draftName("redis"));
  try {
    for (const folder of ["lists/partial", "cache/archives/partial", "state", "log", "debs", "root"]) {
      mkdirSync(join(work, folder), { recursive: true, mode: 0o755 });
    }
    await aptGet(work, ["update"], signal);
    const files = await packageFiles(work, signal);
    for (const file of files) await run("dpkg-deb", ["-x", file, join(work, "root")]);
    makeReadable(join(work, "root"));
    const target = join(bin, `redis-${versionOf(files)}`);
    // One that is there was not found fit: a library that it took from the system may have gone.
    rmSync(target, { recursive: true, force: true });
    renameSync(join(work, "root"), target);
    return null;
  } catch (error) {
    const said = (error as { stderr?: string }).stderr?.trim().split("\n").at(-1);
    return `the download failed: ${said || String((error as Error).message).split("\n")[0]}`;
  } finally {
    rmSync(work, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Names from a dry install, since they differ between releases; those that are installed already are left out. */
async function packageFiles(work: string, signal?: AbortSignal): Promise<string[]> {
  const dryRun = ["install", "--print-uris", "--yes", "--no-install-recommends"];
  const { stdout } = await aptGet(work, [...dryRun, "redis-server"], signal).catch(() =>
    aptGet(work, [...dryRun, "valkey-server"], signal),
  );
  // 'http://…/redis-tools_7.0.15-1_amd64.deb' redis-tools_5%3a7.0.15-1_amd64.deb 991988 SHA256:…
  const names = [...stdout.matchAll(/^'[^']+' ([^_\s]+)_\S+/gm)].map((match) => match[1] ?? "");
  await aptGet(work, ["download", ...names], signal, join(work, "debs"));
  return readdirSync(join(work, "debs")).map((name) => join(work, "debs", name));
}

/** `…/redis-server_5%3a7.0.15-1~deb12u10_amd64.deb` is `7.0.15-1~deb12u10`. */
function versionOf(files: string[]): string {
  const server = files.find((file) => /\/(redis|valkey)-server_/.test(file)) ?? "";
  return /_(?:\d+%3a)?([^_]+)_[^_]*$/.exec(server)?.[1] ?? "unknown";
}

function aptGet(
  work: string,
  args: string[],
  signal?: AbortSignal,
  cwd = work,
): Promise<{ stdout: string; stderr: string }> {
  const options = {
    "Dir::State": join(work, "state"),
    "Dir::State::Lists": join(work, "lists"),
    "Dir::State::status": "/var/lib/dpkg/status",
    "Dir::Cache": join(work, "cache"),
    "Dir::Log": join(work, "log"),
    "Debug::NoLocking": "1",
    // The work folder may lie where apt's own account cannot go.
    "APT::Sandbox::User": process.getuid?.() === 0 ? "root" : "",
    "Acquire::Languages": "none",
    "Acquire::Retries": "2",
    "Acquire::http::Timeout": "20",
  };
  const flags = Object.entries(options).flatMap(([name, value]) => ["-o", `${name}=${value}`]);
  const env = { ...process.env, LC_ALL: "C", DEBIAN_FRONTEND: "noninteractive" };
  return run("apt-get", ["-qq", ...flags, ...args], { cwd, env, signal, timeout: 180_000, maxBuffer: 8 << 20 });
}

function isOnPath(name: string): boolean {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, name)));
}

function makeReadable(path: string): void {
  chmodSync(path, 0o755);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const child = join(path, entry.name);
    if (entry.isDirectory()) makeReadable(child);
    else if (entry.isFile()) chmodSync(child, statSync(child).mode & 0o100 ? 0o755 : 0o644);
  }
}
