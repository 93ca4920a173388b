import { existsSync, mkdirSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { type Account, canEnter, serverAccount } from "./account";
import { ensureFolder, removeDrafts } from "./files";
import { pointedTo, serversFolder } from "./servers-folder";

/** Where everything of one embedded installation is. */
export type Layout = {
  stateDir: string;
  /** 0700 of the starter. */
  logs: string;
  /** World-readable programs, shared by version. */
  bin: string;
  /** 0700 of the servers' account, which alone changes what is in it. */
  data: string;
  /** The starter's; single files in it are for the servers' account to read. */
  conf: string;
  account: Account;
};

/** `BACKSTOP_STATE_DIR`, else a folder for services (as root) or the user's own data folder. */
export function defaultStateDir(env: NodeJS.ProcessEnv = process.env): string {
  if (env.BACKSTOP_STATE_DIR) return resolve(env.BACKSTOP_STATE_DIR);
  if (process.getuid?.() === 0) return "/var/lib/backstop/state";
  return join(env.XDG_DATA_HOME || join(homedir(), ".local", "share"), "backstop");
}

/**
 * Makes the state folder itself and answers its real path: processes are recognised by it. One that exists keeps its
 * mode: it is its owner's choice.
 */
export function makeStateDir(stateDir: string): string {
  if (!existsSync(stateDir)) mkdirSync(stateDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  return realpathSync(stateDir);
}

/** Makes what is in the state folder. The caller holds its lock. `binDir` shares programs between state folders. */
export function layOut(stateDir: string, binDir?: string): Layout {
  const account = serverAccount(existingData(stateDir));
  const servers = serversFolder(stateDir, account);
  const layout = {
    stateDir,
    account,
    logs: ensureFolder(join(stateDir, "logs"), 0o700),
    bin: sharedBin(binDir, account) ?? ensureFolder(join(servers, "bin"), 0o755),
    data: ensureFolder(join(servers, "data"), 0o700, account),
    conf: ensureFolder(join(servers, "conf"), 0o711),
  };
  for (const folder of [layout.bin, layout.data, layout.conf]) removeDrafts(folder, account);
  return layout;
}

function sharedBin(binDir: string | undefined, account: Account): string | undefined {
  if (!binDir) return undefined;
  ensureFolder(binDir, 0o755);
  return canEnter(binDir, account) ? realpathSync(binDir) : undefined;
}

/** Where the servers' files of a state folder are that was started before. */
export function serversRoot(stateDir: string): string {
  return pointedTo(stateDir) ?? stateDir;
}

/** The data folder of a state folder that was started before; it may not exist. */
export function existingData(stateDir: string): string {
  return join(serversRoot(stateDir), "data");
}
