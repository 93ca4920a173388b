import type { ReactNode } from "react";
import { StatusLines } from "@/app/sign-in/status-lines";
import "@/app/sign-in/entrance.css";
import { Logo } from "@/components/ui/logo";

/** The frame of the pages before the desk: the form on the left, what this is and whether it works on the right. */
export function Entrance({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  return (
    <main className="signin">
      <div className="form">
        <div className="word">
          <Logo />
          Backstop
        </div>
        <div>
          <h1 id="entrance">{title}</h1>
          <p className="muted lead">{lead}</p>
        </div>
        {children}
      </div>
      <aside>
        <p className="q">
          See what failed, know why, <span className="muted">and put it back without doing harm twice.</span>
        </p>
        <StatusLines />
      </aside>
    </main>
  );
}
