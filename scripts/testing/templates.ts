import { fileURLToPath } from "node:url";
import { migrate, runMigrations } from "@/lib/db/migrate";
import { prepareDatabase, type Services } from "@/scripts/services";

/** `bare`: roles and schemas as the embedded default makes them. `full`: and everything migrated, empty. */
export type Template = "bare" | "full";

/** The name of a template's database. */
export const templateDatabase = (template: Template) => `template_${template}`;

const ENGINE_SETS = [
  ["game", "engine_migrations"],
  ["rpc", "internal_rpc_migrations"],
  ["demo", "engine_demo_migrations"],
] as const;

/** Makes both templates; each test file copies one, which takes some 50 ms instead of a second of migrations. */
export async function makeTemplates(postgres: Services["postgres"]): Promise<void> {
  const admin = postgres.url("postgres", "postgres");
  await prepareDatabase(admin, templateDatabase("bare"));
  const full = templateDatabase("full");
  await prepareDatabase(admin, full);
  await migrate({ migrateUrl: postgres.url("backstop_migrate", full), ownUrl: postgres.url("backstop_own", full) });
  for (const [set, table] of ENGINE_SETS) {
    const dir = fileURLToPath(new URL(`../../lib/engine/migrations/${set}`, import.meta.url));
    await runMigrations({ dir, schema: "public", table, url: postgres.url("engine", full) });
  }
}
