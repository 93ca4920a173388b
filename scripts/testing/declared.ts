import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Declared, declaredOf } from "@/lib/auth/declared";

/** An export that the world can call, and what it has declared of itself; null: nothing. */
export type Found = { file: string; name: string; declared: Declared | null };

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const DIRECTIVE = /^\s*["']use server["'];?\s*$/m;

/** The files of a folder whose name ends so, from the project's root. */
export function filesOf(folder: string, ending: RegExp): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => ending.test(file))
    .map((file) => join(folder, file))
    .sort();
}

/** Files whose every export is an action. */
export function actionFiles(): string[] {
  return sources().filter((file) => /^\s*["']use server["']/.test(readFileSync(file, "utf8")));
}

/** Files in which an action hides within a function, where no test could find it. */
export function hiddenActionFiles(): string[] {
  const actions = actionFiles();
  return sources().filter((file) => !actions.includes(file) && DIRECTIVE.test(readFileSync(file, "utf8")));
}

const sources = () => ["app", "components", "lib"].flatMap((folder) => filesOf(folder, /(?<!\.test)\.tsx?$/));

/** Every export of every file of actions. */
export async function foundActions(): Promise<Found[]> {
  return (await Promise.all(actionFiles().map(exportsOf))).flat();
}

/** Every method of every route. */
export async function foundRoutes(): Promise<Found[]> {
  const found = await Promise.all(filesOf("app", /(^|\/)route\.tsx?$/).map(exportsOf));
  return found.flat().filter(({ name }) => METHODS.includes(name));
}

async function exportsOf(file: string): Promise<Found[]> {
  const module: Record<string, unknown> = await import(join(process.cwd(), file));
  return Object.entries(module).map(([name, value]) => ({ file, name, declared: declaredOf(value) }));
}
