import type { NotSentCode, UnknownCode } from "./result";
import { type ErrorBody, RPC_VERSION, STORE_UNAVAILABLE } from "./wire";

/** What a sentence may name. */
export type Told = {
  /** Host and port of the engine. */
  engine: string;
  /** True where the call could have changed something. */
  effect: boolean;
  /** The key that signed, and the time it signed for. */
  keyId: string;
  signedMs: number;
};

const UNTOUCHED = "Nothing was changed.";
/** A second's figure is enough: the skew that matters is counted in seconds. */
const time = (ms: number) => new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");

function unproved(told: Told): string {
  return told.effect
    ? "Whether it was carried out is not known yet. The operation is read back by its id; nothing is sent again."
    : `It only asked. ${UNTOUCHED} Read again.`;
}

/** Nothing reached the engine. */
export function notSentSentence(code: NotSentCode, told: Told): string {
  switch (code) {
    case "connection_refused":
      return `The engine is down: ${told.engine} refused the connection. ${UNTOUCHED} Start it, then try again.`;
    case "host_not_found":
      return `The engine's host was not found: ${told.engine} has no address. ${UNTOUCHED} Check BACKSTOP_ENGINE_URL.`;
    case "connect_timeout":
      return `The engine could not be reached: ${told.engine} took no connection within 2 s. ${UNTOUCHED} Check the network between the two.`;
    case "unreachable":
      return `The engine could not be reached: the connection to ${told.engine} failed. ${UNTOUCHED} Check the network and the certificate.`;
    case "not_built":
      return `The request could not be signed, so it was not sent. ${UNTOUCHED} Check who is signed in and BACKSTOP_RPC_KEYS.`;
    default:
      return code satisfies never;
  }
}

/** It may have been handled. */
export function unknownSentence(code: UnknownCode, told: Told, status: number | null): string {
  switch (code) {
    case "timed_out":
      return `The engine did not answer within 10 s. ${unproved(told)}`;
    case "cut":
      return `The engine's answer was cut off in the middle. ${unproved(told)}`;
    case "answered_nothing":
      return `The engine answered nothing: it closed the connection without a word. ${unproved(told)}`;
    case "answered_html":
      return `What answered at ${told.engine} is not the engine: it sent ${status}, and not JSON. ${unproved(told)} Check BACKSTOP_ENGINE_URL and any proxy before it.`;
    case "not_understood":
      return `The engine answered ${status} with JSON that this version does not understand. ${unproved(told)}`;
    case "answer_too_large":
      return `The engine's answer is over 4 MiB and was not read to its end. ${unproved(told)}`;
    case "redirected":
      return `The engine answered ${status}, a redirect, which is not followed. ${unproved(told)} Check BACKSTOP_ENGINE_URL.`;
    case "engine_error":
      return `The engine answered ${status}: it failed on its side. ${unproved(told)} Its log has the request id.`;
    case STORE_UNAVAILABLE:
      return `The engine's store of this queue takes no writes, or does not answer. ${unproved(told)} Mend the store.`;
    case "replayed":
      return `The engine has seen this very request before, so something between the two sent it twice. ${unproved(told)}`;
    case "rpc_version_mismatch":
      return `The engine answered in another RPC version than ${RPC_VERSION}, which this desk speaks. ${unproved(told)}`;
    default:
      return code satisfies never;
  }
}

/** The engine refused, as JSON: nothing was changed. */
export function refusedSentence(body: ErrorBody, told: Told): string {
  switch (body.error) {
    case "unknown_key":
      return `The engine does not know the key "${told.keyId}" that this desk signs with. ${UNTOUCHED} Give both sides the same BACKSTOP_RPC_KEYS.`;
    case "bad_signature":
      return `The engine refused this desk's signature: ${quoted(body.message)} ${UNTOUCHED} The keys or BACKSTOP_RPC_AUDIENCE differ between the two, or something between them changes requests.`;
    case "clock_skew":
      return `The clocks differ: this desk signed at ${time(told.signedMs)}, the engine's store says ${quoted(body.server_time ?? "nothing")}. ${UNTOUCHED} Set the clocks, then try again.`;
    case "replayed":
      return `The engine has seen this very request before. ${UNTOUCHED} Read again.`;
    case "rpc_version_mismatch":
      return `The engine speaks RPC version ${quoted(body.expected_rpc_version ?? "unknown")}, this desk ${RPC_VERSION}. ${UNTOUCHED} Bring both to the same version.`;
    case "body_too_large":
      return `The request is over 256 KiB, and the engine reads no more. ${UNTOUCHED} Choose fewer letters.`;
    case "empty_id":
      return `The request named no dead letter: its id is empty. ${UNTOUCHED} Open the letter again from the list.`;
    case "not_a_uuid":
      return `The request's dead letter id is not a UUID. ${UNTOUCHED} Open the letter again from the list.`;
    case "undecodable":
      return `The letter's payload does not decode, so the engine cannot requeue it. ${UNTOUCHED} What reads it must be mended first; the letter is kept.`;
    case "operation_not_found":
      return "The engine has no record of this operation.";
    case STORE_UNAVAILABLE:
      return `The engine's store of this queue takes no writes, or does not answer, so the request was not handled. ${UNTOUCHED} Mend the store, then try again.`;
    case "operation_mismatch":
      return `This operation already has an answer for the letter under other expectations. ${UNTOUCHED} Open the letter again for a new plan.`;
    default:
      return `The engine refused (${quoted(body.error)}): ${quoted(body.message)} ${UNTOUCHED}`;
  }
}

/** The game server has no such route. */
export function notOfferedSentence(told: Told): string {
  return `The game server at ${told.engine} does not offer this route. ${UNTOUCHED}`;
}

/** Words of the other side are shown short and on one line. */
function quoted(text: unknown): string {
  const line = String(text).replace(/\s+/g, " ").trim();
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}
