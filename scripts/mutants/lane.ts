import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A copy of the tree's files, in which one mutant after the other is made and undone. */
export type Lane = { dir: string; close(): void };

/** Copies what git knows of and what is new, as it stands in the working tree; packages are shared. */
export function openLane(): Lane {
  const dir = mkdtempSync(join(tmpdir(), "backstop-mutants-"));
  const listed = spawnSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "-z"], {
    encoding: "utf8",
  });
  if (listed.status !== 0) throw new Error(`git ls-files: ${listed.stderr}`);
  for (const file of listed.stdout.split("\0").filter(Boolean)) {
    cpSync(file, join(dir, file), { recursive: true, force: true });
  }
  symlinkSync(join(process.cwd(), "node_modules"), join(dir, "node_modules"));
  const close = () => rmSync(dir, { recursive: true, force: true });
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      close();
      process.exit(130);
    });
  }
  return { dir, close };
}
