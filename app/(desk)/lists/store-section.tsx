import { Glyph } from "@/components/ui/glyph";
import type { StoreState } from "@/lib/domain/list-state";
import { storeRows } from "@/lib/domain/list-words";
import type { Reading } from "@/lib/domain/queue";

/** How Redis itself is: what it is, what it keeps, and what stands against relying on it. */
export function StoreSection({ store, atMs }: { store: Reading<StoreState>; atMs: number }) {
  return (
    <section className="wk" aria-labelledby="store-h">
      <div className="sechead">
        <h2 id="store-h">Redis</h2>
      </div>
      {store.kind !== "read" ? (
        <p className="why">{store.sentence}</p>
      ) : (
        <>
          {store.value.dangers.map(({ title, reason }) => (
            <p key={title} className="why att">
              <Glyph name="warn" /> <b>{title}.</b> {reason}
            </p>
          ))}
          <dl className="storerows">
            {storeRows(store.value, atMs).map(([term, value]) => (
              <div key={term}>
                <dt>{term}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </section>
  );
}
