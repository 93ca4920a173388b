import "@/app/(desk)/users/users.css";
import type { Metadata } from "next";
import { connection } from "next/server";
import { StaleBanner } from "@/app/(desk)/live/stale-banner";
import { PasswordForm } from "@/app/(desk)/you/password-form";
import { PermissionTable } from "@/app/(desk)/you/permission-table";
import { TokenForm } from "@/app/(desk)/you/token-form";
import { TokenTable } from "@/app/(desk)/you/token-table";
import { ListUnread } from "@/components/queue/list-unread";
import { TopBar } from "@/components/shell/top-bar";
import { Callout } from "@/components/ui/callout";
import { LinkButton } from "@/components/ui/link-button";
import { listApiTokens } from "@/lib/auth/api-tokens";
import { requireViewer } from "@/lib/auth/guard";
import { config } from "@/lib/config";
import { archiveReading } from "@/lib/console/archive/reading";
import { readDatabaseClock } from "@/lib/console/overview/read";
import { pools } from "@/lib/db/pools";

export const metadata: Metadata = { title: "Your permissions" };

/** What you may do here and why not the rest, your password, and the API tokens that you have made. */
export default async function Page() {
  await connection();
  const viewer = await requireViewer();
  const [nowMs, tokens] = await Promise.all([
    readDatabaseClock(),
    archiveReading("api_tokens", () => listApiTokens(pools().own, viewer.userId)),
  ]);
  const { role, displayName, username, queues } = viewer;
  return (
    <>
      <TopBar crumbs={[{ label: "Your permissions" }]} nowMs={nowMs} />
      <main id="main">
        <StaleBanner />
        <div className="phead">
          <h1>Your permissions</h1>
          <span className="muted">
            {displayName} ({username}) is {role === "viewer" ? "a" : "an"} {role}
            {queues === null ? ", in all queues" : `, in ${queues.join(", ")} alone`}.
          </span>
          <span className="end">
            <LinkButton size="sm" href="#tokens-h">
              API tokens
            </LinkButton>
            <LinkButton size="sm" href="#password-h">
              Password
            </LinkButton>
          </span>
        </div>
        {config().readOnly ? (
          <Callout tone="plain" title="This desk is read-only">
            READ_ONLY is set, so everyone is a viewer here, whatever their role.
          </Callout>
        ) : null}
        <section className="sec" aria-label="What you may do">
          <PermissionTable viewer={viewer} demo={config().demo} />
        </section>
        <section className="sec" aria-labelledby="tokens-h">
          <div className="sechead">
            <h2 id="tokens-h">API tokens</h2>
            <span className="sub">For programs that read this desk. None of them can requeue.</span>
          </div>
          {tokens.kind === "failed" ? (
            <ListUnread title="Your tokens could not be read" sentence={tokens.sentence} code={tokens.code} />
          ) : null}
          {tokens.kind === "read" && tokens.value.length > 0 ? (
            <TokenTable tokens={tokens.value} nowMs={nowMs ?? Date.now()} />
          ) : null}
          <TokenForm />
        </section>
        <section className="sec" aria-labelledby="password-h">
          <div className="sechead">
            <h2 id="password-h">Password</h2>
          </div>
          <PasswordForm username={username} />
        </section>
      </main>
    </>
  );
}
