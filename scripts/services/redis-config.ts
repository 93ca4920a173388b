import { createHash, createHmac } from "node:crypto";
import type { Secrets } from "./secrets";

/** What the console and the engine may see of the game's Redis (the key families of the seed). */
const GAME_KEYS = ["{session_lifecycle}:*", "session:*", "presence:*"];

/** Reads only, on the game's keys; no scripts. With what ioredis needs to connect and to read several keys at once. */
const CONSOLE_COMMANDS =
  "-@all +@read -@dangerous +time +ping +info +select +client|setname +cluster|slots +multi +exec";

/** Lists, hashes, scripts, streams and time, and what goes with them. ACLs bind inside Lua, too. */
const ENGINE_COMMANDS =
  "-@all +@list +@hash +@stream +@string +@set +@sortedset +@keyspace -@dangerous +eval +evalsha +script|load +script|exists " +
  "+multi +exec +discard +watch +unwatch +time +ping +info +select +client|setname +client|id +cluster|slots";

/** The demo's own: it makes its Redis refuse writes and take them again, and sees no key. */
const DEMO_COMMANDS = "-@all +config|set +ping +info +client|setname";

/** Made from the admin's, so that state folders of before need no new secret; from it nothing leads back. */
export const demoPassword = ({ admin }: Pick<Secrets["redis"], "admin">) =>
  createHmac("sha256", admin).update("demo").digest("hex");

export type RedisSettings = { dir: string; port: number; passwords: Secrets["redis"]; fast: boolean };

/** The whole configuration file. Passwords stand in it as hashes only. */
export function redisConfig({ dir, port, passwords, fast }: RedisSettings): string {
  const hash = (password: string) => `#${createHash("sha256").update(password).digest("hex")}`;
  const consoleKeys = GAME_KEYS.map((key) => `%R~${key}`).join(" ");
  const engineKeys = [...GAME_KEYS, "backstop:*"].map((key) => `~${key}`).join(" ");
  return `${[
    "bind 127.0.0.1",
    `port ${port}`,
    "protected-mode yes",
    "daemonize no",
    // The untouched command line is how the process is recognised.
    "set-proc-title no",
    `dir ${quote(dir)}`,
    "databases 64",
    "appendonly yes",
    `appendfsync ${fast ? "no" : "everysec"}`,
    'save ""',
    "maxmemory-policy noeviction",
    "enable-debug-command no",
    "enable-module-command no",
    // Nobody can be this user. But as it the server reads its own append-only file back, and where it lacks the rights
    // every transaction and all that scripts wrote is dropped at a restart (redis/redis#14541, valkey-io/valkey#3983).
    "user default off resetpass ~* &* +@all",
    `user console on ${hash(passwords.console)} resetchannels ${consoleKeys} ${CONSOLE_COMMANDS}`,
    `user engine on ${hash(passwords.engine)} resetchannels ${engineKeys} ${ENGINE_COMMANDS}`,
    `user demo on ${hash(demoPassword(passwords))} resetchannels ${DEMO_COMMANDS}`,
    `user admin on ${hash(passwords.admin)} ~* &* +@all`,
  ].join("\n")}\n`;
}

/** A path as the configuration file reads it. */
function quote(path: string): string {
  return `"${path.replace(/["\\]/g, "\\$&")}"`;
}
