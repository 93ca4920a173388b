import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "vite";

export type Bundle = {
  /** Arguments of `node` that run the program; it ends with whoever started it. */
  program: string[];
  remove(): void;
};

/**
 * A program in one file, for those who start it again and again: 0.5 s of a processor a start instead of 2.5 s. The same
 * sources, from the folder that the process is in.
 * @param migrations a folder that the program looks for beside itself, and beside its own folder
 */
export async function bundleProgram(entry: string, migrations?: string, root = process.cwd()): Promise<Bundle> {
  const folder = mkdtempSync(join(tmpdir(), "backstop-bundle-"));
  const outDir = join(folder, "program");
  await build({
    configFile: false,
    publicDir: false,
    logLevel: "error",
    root,
    resolve: { alias: { "@": root } },
    ssr: { noExternal: true, external: ["pg-native"] },
    build: {
      ssr: entry,
      outDir,
      target: "node20",
      rollupOptions: { output: { entryFileNames: "main.mjs" } },
    },
  });
  if (migrations !== undefined)
    for (const at of [folder, outDir]) symlinkSync(join(root, migrations), join(at, "migrations"));
  return {
    program: ["--import", "./scripts/services/end-with-parent.mjs", join(outDir, "main.mjs")],
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** `./migrations` of lib/engine, and `../migrations` of lib/engine/http, lie beside it as they lie in the tree. */
export const bundleEngine = (root?: string): Promise<Bundle> =>
  bundleProgram("lib/engine/main.ts", "lib/engine/migrations", root);

export const bundleKeeper = (root?: string): Promise<Bundle> => bundleProgram("lib/keeper/main.ts", undefined, root);
