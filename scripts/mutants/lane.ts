import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTestServers } from "@/scripts/testing/test-servers";

/** A copy of the tree's files, in which one mutant after the other is made and undone, and servers that stay. */
export type Lane = { dir: string; servers: string; close(): Promise<void> };

/** Copies what git knows of and what is new, as it stands in the working tree; packages are shared. */
export async function openLane(): Promise<Lane> {
  const dir = mkdtempSync(join(tmpdir(), "backstop-mutants-"));
  const listed = spawnSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "-z"], {
    encoding: "utf8",
  });
  if (listed.status !== 0) throw new Error(`git ls-files: ${listed.stderr}`);
  for (const file of listed.stdout.split("\0").filter(Boolean)) {
    cpSync(file, join(dir, file), { recursive: true, force: true });
  }
  symlinkSync(join(process.cwd(), "node_modules"), join(dir, "node_modules"));
  const servers = await openTestServers(process.cwd());
  const close = async () => {
    await servers.close();
    rmSync(dir, { recursive: true, force: true });
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => void close().finally(() => process.exit(130)));
  }
  return { dir, servers: JSON.stringify(servers.given), close };
}
