import { fileURLToPath } from "node:url";
import { runMigrations } from "@/lib/db/migrate";

/**
 * Makes the table of used nonces. Needed in every mode, the seed's routes included: without it no request can be
 * accepted once only. Gives the names of the migrations that ran.
 */
export function migrateRpc(set: { url: string; schema?: string }): Promise<string[]> {
  return runMigrations({
    dir: fileURLToPath(new URL("../migrations/rpc", import.meta.url)),
    schema: set.schema ?? "public",
    table: "internal_rpc_migrations",
    url: set.url,
  });
}
