"use client";

import Link from "next/link";
import { useRef, useState } from "react";
import { HELP } from "@/components/shell/keyboard-help-list";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { setShortcutsOn, shortcutsOn, useShortcut } from "@/components/ui/keyboard";

/** The button `?` and the list that it opens, with the switch that turns single keys off. */
export function KeyboardHelp() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [on, setOn] = useState(true);
  const open = () => {
    setOn(shortcutsOn());
    dialog.current?.showModal();
  };
  useShortcut("?", open);
  return (
    <>
      <span className="helpbtn">
        <Button variant="quiet" icon="circle-help" aria-label="Keyboard shortcuts" onClick={open} />
      </span>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes a dialog by itself; this is the click beside it. */}
      <dialog
        ref={dialog}
        className="helpdlg"
        aria-labelledby="help-h"
        onClick={(event) => event.target === dialog.current && dialog.current.close()}
      >
        <header>
          <h2 id="help-h">Keyboard</h2>
          <Button variant="quiet" icon="x" aria-label="Close" onClick={() => dialog.current?.close()} />
        </header>
        <div className="helpgrid">
          {HELP.map((group) => (
            <section key={group.title}>
              <h3>{group.title}</h3>
              <dl>
                {group.entries.map(([what, ...keys]) => (
                  <div key={what}>
                    <dt>{what}</dt>
                    <dd>
                      {keys.map((key) => (
                        <kbd key={key}>{key}</kbd>
                      ))}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
        <div className="helpfoot">
          <Link className="link" href="/runbook" prefetch={false} onClick={() => dialog.current?.close()}>
            Runbook: what to do, by what you see
          </Link>
          <Checkbox
            label="Single-key shortcuts are on in this browser"
            checked={on}
            onChange={(event) => {
              setShortcutsOn(event.target.checked);
              setOn(event.target.checked);
            }}
          />
        </div>
      </dialog>
    </>
  );
}
