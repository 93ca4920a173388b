import { configuredMasking } from "@/lib/config";
import * as error from "@/lib/domain/mask-error";
import { NOTHING_MASKED } from "@/lib/domain/mask-finders";
import type { MaskedPayload, PayloadView } from "@/lib/domain/payload-view";
import * as payload from "@/lib/domain/payload-view";
import { markUnseen } from "@/lib/domain/unseen";

// The one way by which what a store holds leaves this process: with the rules that this installation was given.

/** A text without what is never shown; `known`: secrets of the letter that it belongs to. */
export const maskError = (text: string, known: readonly string[] = []): string =>
  error.maskError(text, known, configuredMasking());

/** As `maskError`, of what may be missing. */
export const maskLabel = <T extends string | null | undefined>(text: T, known: readonly string[] = []): T =>
  (typeof text === "string" ? maskError(text, known) : text) as T;

/** A text as a page shows it: masked, and with marks in the place of characters that are not seen. */
export const shownText = (text: string, known: readonly string[] = []): string => markUnseen(maskError(text, known));

/** As `shownText`, of what may be missing. */
export const shownLabel = <T extends string | null | undefined>(text: T, known: readonly string[] = []): T =>
  (typeof text === "string" ? shownText(text, known) : text) as T;

export const maskPayload = (source: string): MaskedPayload | null => payload.maskPayload(source, configuredMasking());

export const viewPayload = (source: string): PayloadView | null => payload.viewPayload(source, configuredMasking());

/** Of a payload that the archive has kept: rules that came after it count, too. */
export const viewMasked = (raw: string): PayloadView | null => payload.viewMasked(raw, configuredMasking());

/** For an audited reveal: nothing is masked, and what is not JSON is shown as the text that it is. */
export const viewWhole = (source: string): PayloadView =>
  payload.viewPayload(source, NOTHING_MASKED) ?? { text: source, raw: source, masked: [] };
