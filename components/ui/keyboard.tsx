"use client";

import { useEffect, useEffectEvent } from "react";

type Binding = { keys: string; run: (event: KeyboardEvent) => void };

/** Later bindings win: a panel that is open takes a key from the page under it. */
const bindings: Binding[] = [];
const SEQUENCE_MS = 900;
const STORED = "backstop_keys";
let pending = { key: "", atMs: 0 };

/** Single-key shortcuts can be switched off (WCAG 2.1.4); the choice stays in this browser. */
export function shortcutsOn(): boolean {
  return localStorage.getItem(STORED) !== "off";
}
export function setShortcutsOn(on: boolean): void {
  localStorage.setItem(STORED, on ? "on" : "off");
}

/** True where a key belongs to what is being edited, and not to the page. */
function isEditing(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  if (target.matches("input[type=checkbox], input[type=radio]")) return false;
  return target.closest("input, textarea, select, [contenteditable], dialog[open], [role=listbox]") !== null;
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return;
  if (isEditing(event.target) || !shortcutsOn()) return;
  const sequence = event.timeStamp - pending.atMs < SEQUENCE_MS ? `${pending.key} ${event.key}` : event.key;
  const find = (keys: string) => bindings.findLast((binding) => binding.keys === keys);
  const binding = find(sequence) ?? find(event.key);
  pending = { key: event.key, atMs: event.timeStamp };
  if (!binding) return;
  pending = { key: "", atMs: Number.NEGATIVE_INFINITY };
  binding.run(event);
}

/**
 * Runs `run` on a key (`j`, `?`, `Escape`) or a sequence of two (`g o`). Does nothing in inputs, with a modifier held,
 * or when shortcuts are switched off. `run` may call `preventDefault`.
 */
export function useShortcut(keys: string, run: (event: KeyboardEvent) => void): void {
  const latest = useEffectEvent(run);
  useEffect(() => {
    const binding = { keys, run: (event: KeyboardEvent) => latest(event) };
    if (bindings.length === 0) addEventListener("keydown", onKeyDown);
    bindings.push(binding);
    return () => {
      bindings.splice(bindings.indexOf(binding), 1);
      if (bindings.length === 0) removeEventListener("keydown", onKeyDown);
    };
  }, [keys]);
}
