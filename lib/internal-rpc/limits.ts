/** How long a signature may be used, from `created` on. The server refuses it afterwards, on the store's clock. */
export const SIGNATURE_LIFETIME_S = 30;

/** How far `created` may be from the store's clock, either way. */
export const SKEW_MAX_S = 300;

/**
 * How long a used nonce is remembered. A signature can be accepted for at most `SKEW_MAX_S` before its `created` and
 * `SIGNATURE_LIFETIME_S` after it, so 15 minutes leave no moment in which a replay finds its nonce forgotten.
 */
export const NONCE_KEPT_S = 900;

/** Largest request body that a server reads. */
export const REQUEST_BYTES_MAX = 256 * 1024;

/** Largest answer that a client reads. */
export const ANSWER_BYTES_MAX = 4 * 1024 * 1024;

/** When a client gives up: reaching the engine, and the whole call. */
export const CONNECT_TIMEOUT_MS = 2_000;
export const CALL_TIMEOUT_MS = 10_000;

/**
 * The longest that a transaction of the engine lasts. "Not found" in a read-back is final only once the signature has
 * expired and this has passed too, both on the engine's clock.
 */
export const ENGINE_TRANSACTION_TIMEOUT_MS = 8_000;
