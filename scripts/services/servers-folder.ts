import { randomBytes } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Account, canEnter, serverAccount } from "./account";
import { ensureFolder, removeTree, writeWhole } from "./files";
import { processesWithin } from "./processes";

/** In the state folder: where the servers' files are, when they are not in it. */
const POINTER = "servers.json";
/** In the servers' folder: whose it is. */
const BACK_POINTER = "state-dir.json";

/**
 * Where the servers' files (binaries, data) live: in the state folder, or, where we are root and the account that the
 * servers run as cannot walk into it (a 0700 home above it), in a folder of its own elsewhere. Postgres resolves the
 * real path of its binary, so nothing but a reachable path will do.
 */
export function serversFolder(stateDir: string, account: Account): string {
  const known = pointedTo(stateDir);
  if (known) {
    // An empty world in its place would look like a first start, and the accounts and the audit would seem never to have been.
    if (!existsSync(known) && existsSync(join(stateDir, "secrets", "secrets.json"))) {
      throw new Error(
        `${stateDir} keeps its data in ${known}, which is not there: put it back, or start over with npm run reset.`,
      );
    }
    return makeServersFolder(known, stateDir);
  }
  if (canEnter(stateDir, account)) return stateDir;
  if (existsSync(join(stateDir, "data"))) {
    throw new Error(
      `The servers' account (uid ${account.uid}) can no longer enter ${stateDir}: a folder above it is closed.`,
    );
  }
  const folder = join(serversHome(), `servers-${randomBytes(8).toString("hex")}`);
  // The pointer first: a folder that nothing points to counts as an orphan.
  writeWhole(join(stateDir, POINTER), JSON.stringify({ folder }), 0o600);
  return makeServersFolder(folder, stateDir);
}

/** The folder that the state folder points to, if any. */
export function pointedTo(stateDir: string): string | undefined {
  return readString(join(stateDir, POINTER), "folder");
}

/**
 * Removes servers' folders whose state folder points elsewhere by now (it was emptied and used again), unless a server
 * still runs in them. A state folder that cannot be seen proves nothing: it may be on a volume that is away for a moment.
 */
export function removeOrphans(log: (line: string) => void): void {
  if (process.getuid?.() !== 0) return;
  for (const home of homes()) {
    for (const name of existsSync(home) ? readdirSync(home) : []) {
      const folder = join(home, name);
      if (!name.startsWith("servers-") || !isOurs(folder)) continue;
      const stateDir = readString(join(folder, BACK_POINTER), "stateDir");
      // Without a back pointer its maker may be between two steps: another start will tell.
      const now = stateDir && pointedTo(stateDir);
      if (!now || now === folder || !existsSync(now) || processesWithin(folder).length > 0) continue;
      removeTree(folder, serverAccount(join(folder, "data")));
      log(`Removed ${folder}: its state folder ${stateDir} has other data by now.`);
    }
  }
}

function makeServersFolder(folder: string, stateDir: string): string {
  if (existsSync(folder) && !isOurs(folder)) throw new Error(`${folder} belongs to somebody else: not used.`);
  ensureFolder(folder, 0o711);
  const real = realpathSync(stateDir);
  const owner = readString(join(folder, BACK_POINTER), "stateDir");
  // A copied state folder must not run on the data of the one that it was copied from.
  if (owner && owner !== real && pointedTo(owner) === folder) {
    throw new Error(`${stateDir} is a copy of ${owner}, whose data are in ${folder}: empty it with npm run reset.`);
  }
  if (owner !== real) writeWhole(join(folder, BACK_POINTER), JSON.stringify({ stateDir: real }), 0o600);
  return folder;
}

/** /var/lib/backstop outlives a restart of the machine; the temporary folder is for systems that mount it read-only. */
function serversHome(): string {
  const [first, second] = homes();
  try {
    ensureFolder("/var/lib/backstop", 0o755);
    return ensureFolder(first, 0o711);
  } catch {
    return second;
  }
}

function homes(): [string, string] {
  return ["/var/lib/backstop/servers", tmpdir()];
}

function isOurs(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === process.getuid?.();
}

function readString(file: string, key: string): string | undefined {
  try {
    const value = (JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>)[key];
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
