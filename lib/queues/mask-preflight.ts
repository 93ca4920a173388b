import { configuredMasking } from "@/lib/config";
import { HIDDEN } from "@/lib/domain/mask-error";
import { isMaskedField } from "@/lib/domain/masking";
import type { Effect, Finding, Preflight } from "@/lib/domain/preflight";
import { shownLabel, shownText } from "./masked";

/**
 * A preflight as it may be shown and stored: a field that is masked in the payload is masked where it is told what would
 * become of it, and what findings quote is masked as errors are. `known`: secrets of the letter.
 */
export function maskPreflight(preflight: Preflight, known: readonly string[] = []): Preflight {
  const { paths } = configuredMasking();
  const findings = preflight.findings.map((finding): Finding => {
    const { reason } = finding;
    return {
      ...finding,
      title: shownText(finding.title, known),
      ...(reason === undefined ? {} : { reason: shownText(reason, known) }),
      evidence: finding.evidence.map((each) => ({ ...each, value: shownText(each.value, known) })),
    };
  });
  const effects = preflight.effects?.map((effect): Effect => {
    const hide = isMaskedField(effect.field, paths) ? () => HIDDEN : (text: string) => shownText(text, known);
    const { payload, now, after, note } = effect;
    return { ...effect, payload: hide(payload), now: hide(now), after: hide(after), note: shownLabel(note, known) };
  });
  return { ...preflight, findings, effects: effects ?? null };
}
