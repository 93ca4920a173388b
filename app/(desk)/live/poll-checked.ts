import type { QueryClient } from "@tanstack/react-query";
import { poll } from "@/app/(desk)/live/poll";

type Asked = { client: QueryClient; signal: AbortSignal };
type Schema<T> = { parse(value: unknown): T };

/** Where the provider keeps which process wrote this page. */
export const FROM = ["from"];

/** An answer of the process that wrote this page is of the same code as the page: its shape cannot differ. */
function isOfThisPage<T>(body: unknown, { client }: Asked): body is { value: T } {
  const from = (body as { from?: unknown } | null)?.from;
  return from !== undefined && from === client.getQueryData(FROM);
}

/**
 * Polls a route of the desk. An answer of another process, a restarted or an updated one, is checked against the
 * schema, which `load` brings then: drift is an error and no wrong number. Throws a `PollError`, or what the schema
 * throws.
 */
export async function pollChecked<T>(path: string, asked: Asked, load: () => Promise<Schema<T>>): Promise<T> {
  const body = await poll(path, asked.signal);
  if (isOfThisPage<T>(body, asked)) return body.value;
  return (await load()).parse((body as { value?: unknown } | null)?.value);
}
