import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type Account, runAs } from "./account";
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
    fchmodSync(file, mode);
    if (owner && process.getuid?.() === 0) fchownSync(file, owner.uid, owner.gid);
    writeFileSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
}

/** A name for something that is renamed when it is complete. */
export function draftName(what: string): string {
  return `draft-${what}-${process.pid}-${randomBytes(4).toString("hex")}`;
}

/** Removes a file or folder, first what the account owns of it, by the account itself. */
export function removeTree(path: string, account: Account): void {
  if (account.uid !== process.getuid?.()) runAs(account, "rm", ["-rf", "--", path]);
  rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}

/** Removes what starters that were killed in the middle left half made. */
export function removeDrafts(folder: string, account: Account): void {
  for (const name of readdirSync(folder)) {
    const pid = /^draft-[a-z]+-(\d+)-/.exec(name)?.[1];
    if (!pid || isAlive(Number(pid))) continue;
    removeTree(join(folder, name), account);
  }
}
