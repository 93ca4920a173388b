/** A poll that brought no reading: what to say of it, and whether it helps to sign in again. */
export class PollError extends Error {
  readonly signedOut: boolean;
  readonly reference: string | null;

  constructor(sentence: string, options: { signedOut?: boolean; reference?: string | null } = {}) {
    super(sentence);
    this.signedOut = options.signedOut ?? false;
    this.reference = options.reference ?? null;
  }
}

/** A desk that is alive answers sooner: it waits 2.5 s for each of its sources, all at once. */
const PATIENCE_MS = 5_000;

/** Fetches JSON from one of the desk's own routes. Throws a `PollError` with a sentence for the operator. */
export async function poll(path: string, signal: AbortSignal): Promise<unknown> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
  const headers = { accept: "application/json" };
  const response = await fetch(path, { signal: within, headers, redirect: "error" }).catch((error: Error) => {
    if (error.name === "AbortError") throw error;
    const silent = error.name === "TimeoutError";
    throw new PollError(
      silent ? `The desk has not answered for ${PATIENCE_MS / 1_000} s.` : "The desk does not answer.",
    );
  });
  const body: unknown = await response.json().catch(() => null);
  // A body that was cut, by the patience above or on its way, is no answer.
  if (response.ok && body === null) throw new PollError("The desk's answer broke off.");
  if (response.ok) return body;
  const { sentence, code, requestId } = (body ?? {}) as Record<string, unknown>;
  throw new PollError(typeof sentence === "string" ? sentence : `The desk answered ${response.status}.`, {
    signedOut: response.status === 401,
    reference: [code, requestId && `request ${requestId}`].filter(Boolean).join(", ") || null,
  });
}
