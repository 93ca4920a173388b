import { fileURLToPath } from "node:url";
import { runMigrations } from "@/lib/db/migrate";

const dir = (set: string) => fileURLToPath(new URL(`./migrations/${set}`, import.meta.url));

/** Brings the engine's own tables up to date: persistence retry, the world, and the demo's where it runs. */
export async function migrateEngine(url: string, demo: boolean): Promise<string[]> {
  const ran = await runMigrations({ dir: dir("game"), schema: "public", table: "engine_migrations", url });
  if (!demo) return ran;
  const demoRan = await runMigrations({ dir: dir("demo"), schema: "public", table: "engine_demo_migrations", url });
  return [...ran, ...demoRan];
}
