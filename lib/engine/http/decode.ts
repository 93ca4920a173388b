import type { z } from "zod";
import { RPC_VERSION } from "@/lib/internal-rpc/wire";
import { type Refusal, refuse, versionMismatch } from "./refusal";

export type Decoded = { kind: "decoded"; body: unknown };

/** A POST's body: JSON first, then its version, and only in our version the rest. */
export function decodeBody(bytes: Buffer, schema: z.ZodType): Decoded | Refusal {
  let given: unknown;
  try {
    given = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return refuse(400, "bad_json", "The body is not JSON in UTF-8.");
  }
  const version = (given as { rpc_version?: unknown } | null)?.rpc_version;
  if (version !== RPC_VERSION) return versionMismatch(version);
  const parsed = schema.safeParse(given);
  if (parsed.success) return { kind: "decoded", body: parsed.data };
  const [issue] = parsed.error.issues;
  return refuseIssue(issue?.path ?? [], given);
}

/** The first thing that is wrong, by its place; what was given there is not repeated. */
function refuseIssue(path: readonly PropertyKey[], given: unknown): Refusal {
  const place = path.map(String).join(".");
  const name = path.filter((key) => typeof key === "string").at(-1);
  if (name === undefined || !/_ids?$/.test(String(name)))
    return refuse(400, "bad_request", `The body is wrong at ${place || "its root"}.`);
  const value = path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | null)?.[key], given);
  if (value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0))
    return refuse(400, "empty_id", `${place} is empty.`);
  // A list that is none, or too long; one of its ids would have its place in the list behind the name.
  if (String(path.at(-1)).endsWith("_ids")) return refuse(400, "bad_request", `The body is wrong at ${place}.`);
  return refuse(400, "not_a_uuid", `${place} is not a UUID.`);
}
