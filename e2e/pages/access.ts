import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import type { Found } from "@/scripts/testing/declared";

export type Asked = { path: string; method?: string; headers?: Record<string, string>; body?: string | Buffer };
export type Answer = { status: number; headers: Record<string, string | string[] | undefined>; text: string };

/** One request as it is written here, with no header of its own: the Host can be forged, too. Follows nothing. */
export function ask(base: string, { path, method = "GET", headers = {}, body }: Asked): Promise<Answer> {
  const url = new URL(path, base);
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const sent = request(
      { host: url.hostname, port: url.port, path, method, headers: { ...length, ...headers } },
      (answer) => {
        const parts: Buffer[] = [];
        answer.on("data", (part) => parts.push(part));
        answer.on("error", reject);
        answer.on("end", () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: Buffer.concat(parts).toString() }),
        );
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

/** An action as the browser calls it: its id, and a page that it can be sent to. */
export type Callable = { id: string; path: string; name: string; need: string; everyQueue: boolean; file: string };

/** Every action and route that the sources declare. */
export function declaredHere(): { actions: Found[]; routes: Found[] } {
  const args = [
    "--import",
    "tsx",
    "--import",
    "./scripts/testing/without-server-only.mjs",
    "scripts/testing/print-declared.ts",
  ];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8", maxBuffer: 1 << 24 }));
}

type Manifest = { node: Record<string, { workers: Record<string, unknown>; filename: string; exportedName: string }> };

/** The actions that the build serves. Throws where one of them is not declared. */
export function callables(actions: readonly Found[], values: Record<string, string>): Callable[] {
  const file = join(process.env.BACKSTOP_DIST_DIR || ".next", "server", "server-reference-manifest.json");
  const { node } = JSON.parse(readFileSync(file, "utf8")) as Manifest;
  return Object.entries(node).map(([id, { workers, filename, exportedName }]) => {
    const found = actions.find((action) => action.file === filename && action.name === exportedName);
    const [page = ""] = Object.keys(workers).sort();
    if (!found?.declared) throw new Error(`${filename}: ${exportedName} is served, and declares no role`);
    const { name, role, everyQueue = false } = found.declared;
    return { id, path: urlOf(page, values), name, need: role, everyQueue, file: filename };
  });
}

/** The address of `app/(desk)/…/[id]/page.tsx` or `route.ts`, with values in the places of its parameters. */
export function urlOf(file: string, values: Record<string, string>): string {
  const parts = file
    .replace(/^app\//, "")
    .replace(/(^|\/)(page|route)(\.tsx?)?$/, "")
    .split("/")
    .filter((part) => part !== "" && !part.startsWith("("));
  return `/${parts.map((part) => (part.startsWith("[") ? (values[part.slice(1, -1)] ?? "x") : part)).join("/")}`;
}

/** A call that no action takes: whoever is let through to its input is told that it is wrong. */
export function call(action: Callable, headers: Record<string, string>, args: unknown = [{ walk: true }, 7]): Asked {
  return {
    path: action.path,
    method: "POST",
    headers: { "next-action": action.id, "content-type": "text/plain;charset=UTF-8", ...headers },
    body: JSON.stringify(args),
  };
}

const REFUSED = "This request did not come from a page of Backstop.";

/** How an action ended: its own word, or `status` where it was not even run. */
export function endingOf({ status, text }: Answer): string {
  const kind = text.match(/"kind":"(ok|signed_out|forbidden|invalid|refused|failed)"/)?.[1];
  if (kind) return kind;
  if (text.includes(REFUSED)) return "refused";
  // The state of a form: problems of its fields.
  if (/"fields":\{"/.test(text)) return "invalid";
  return status >= 400 ? "refused" : `status ${status}`;
}
