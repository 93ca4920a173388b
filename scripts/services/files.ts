import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Account } from "./account";
import { isAlive } from "./processes";

/** Makes the folder with exactly this mode (the umask does not count) and owner. Existing ones are set right. */
export function ensureFolder(path: string, mode: number, owner?: Account): string {
  mkdirSync(path, { recursive: true, mode });
  chmodSync(path, mode);
  if (owner && process.getuid?.() === 0) chownSync(path, owner.uid, owner.gid);
  return path;
}

/** Writes the file whole or not at all, with this mode and owner. */
export function writeWhole(path: string, content: string, mode: number, owner?: Account): void {
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  const file = openSync(draft, "wx", mode);
  try {
    writeFileSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  chmodSync(draft, mode);
  if (owner && process.getuid?.() === 0) chownSync(draft, owner.uid, owner.gid);
  renameSync(draft, path);
}

/** A name for something that is renamed when it is complete. */
export function draftName(what: string): string {
  return `draft-${what}-${process.pid}-${randomBytes(4).toString("hex")}`;
}

/** Removes what starters that were killed in the middle left half made. */
export function removeDrafts(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = /^draft-[a-z]+-(\d+)-/.exec(name)?.[1];
    if (!pid || isAlive(Number(pid))) continue;
    rmSync(join(folder, name), { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}
