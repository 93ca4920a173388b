import { BacklogAge } from "@/components/charts/backlog-age";
import { NewDeaths } from "@/components/charts/new-deaths";
import { Settled } from "@/components/charts/settled";
import type { History } from "@/lib/domain/history";
import { proseDuration } from "@/lib/domain/time";

type Props = { history: History; names: readonly string[] };

/** A heading that says what is drawn and how wide a bar is. */
function Head({ id, title, sub, wide }: { id: string; title: string; sub: string; wide: number }) {
  return (
    <div className="sechead">
      <h2 id={id}>{title}</h2>
      <span className="sub">{sub}</span>
      <span className="end sub">{proseDuration(wide)} bars</span>
    </div>
  );
}

/** The age of each queue's backlog. */
export function BacklogSections({ history, names }: Props) {
  const queues = history.queues.filter(({ name, oldest, waiting }) => names.includes(name) && (oldest || waiting));
  if (queues.length === 0) {
    return (
      <section aria-labelledby="age-h">
        <Head id="age-h" title="Backlog age" sub={names.join(", ")} wide={history.levels.widthMs} />
        <p className="muted">No samples in this range. The keeper takes one every 5 s.</p>
      </section>
    );
  }
  return queues.map((queue) => (
    <section key={queue.name} aria-labelledby={`age-${queue.name}`}>
      <Head id={`age-${queue.name}`} title="Backlog age" sub={queue.name} wide={history.levels.widthMs} />
      <BacklogAge history={history} queue={queue} />
    </section>
  ));
}

/** New dead letters by kind, and what was settled. */
export function OutcomeSections({ history, names }: Props) {
  const { deaths, moreKinds, queues, counts } = history;
  const ours = deaths.filter(({ queue }) => names.includes(queue));
  const settled = queues.filter(({ name, done, failed }) => names.includes(name) && (done || failed));
  return (
    <>
      <section aria-labelledby="deaths-h">
        <Head id="deaths-h" title="New dead letters" sub="by kind, one scale" wide={counts.widthMs} />
        {ours.length === 0 ? <p className="muted">No dead letters in this range.</p> : null}
        {ours.length > 0 ? <NewDeaths history={history} deaths={ours} /> : null}
        {moreKinds > 0 ? <p className="muted">{moreKinds} more kinds have fewer.</p> : null}
      </section>
      {settled.map((queue) => (
        <section key={queue.name} aria-labelledby={`out-${queue.name}`}>
          <Head id={`out-${queue.name}`} title="Done and failed" sub={queue.name} wide={counts.widthMs} />
          <Settled history={history} queue={queue} />
        </section>
      ))}
    </>
  );
}
