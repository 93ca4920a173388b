import "@/app/(desk)/users/users.css";
import type { Metadata } from "next";
import { connection } from "next/server";
import { StaleBanner } from "@/app/(desk)/live/stale-banner";
import { AddUserForm } from "@/app/(desk)/users/add-user-form";
import { UserForm } from "@/app/(desk)/users/user-form";
import { UserTable } from "@/app/(desk)/users/user-table";
import { ListUnread } from "@/components/queue/list-unread";
import { TopBar } from "@/components/shell/top-bar";
import { FocusedHeading } from "@/components/ui/focused-heading";
import { ForbiddenPanel } from "@/components/ui/forbidden-panel";
import { LinkButton } from "@/components/ui/link-button";
import { requireViewer } from "@/lib/auth/guard";
import { listUsers } from "@/lib/auth/list-users";
import { atLeast } from "@/lib/auth/role";
import { whyNotRole } from "@/lib/auth/why-not";
import { archiveReading } from "@/lib/console/archive/reading";
import { readDatabaseClock } from "@/lib/console/overview/read";
import { queues } from "@/lib/console/sources";
import { pools } from "@/lib/db/pools";

export const metadata: Metadata = { title: "Users" };

const CRUMBS = [{ label: "Users" }];

/** Who may come in and what they may do, for admins. `?user=` opens one account. */
export default async function Page({ searchParams }: PageProps<"/users">) {
  await connection();
  const viewer = await requireViewer();
  const nowMs = await readDatabaseClock();
  if (!atLeast(viewer.role, "admin")) {
    return (
      <>
        <TopBar crumbs={CRUMBS} nowMs={nowMs} />
        <main id="main">
          <ForbiddenPanel
            title="Users are looked after by admins"
            actions={<LinkButton href="/you">Your permissions</LinkButton>}
          >
            {whyNotRole(viewer.role, "admin")}
          </ForbiddenPanel>
        </main>
      </>
    );
  }
  const { user: asked } = await searchParams;
  const accounts = await archiveReading("users", () => listUsers(pools().own));
  const users = accounts.kind === "read" ? accounts.value : [];
  const chosen = users.find(({ userId }) => userId === asked);
  const names = queues().map(({ name }) => name);
  return (
    <>
      <TopBar crumbs={CRUMBS} nowMs={nowMs} />
      <main id="main">
        <StaleBanner />
        <div className="phead">
          <h1>Users</h1>
          <span className="muted">Who may come in, and what they may do. Each change is in the audit log.</span>
        </div>
        {chosen ? (
          <section className="sec" aria-labelledby="change-h">
            <div className="sechead">
              <FocusedHeading key={chosen.userId} id="change-h">
                Change {chosen.displayName}
              </FocusedHeading>
              <span className="end">
                <LinkButton size="sm" href="/users">
                  Close
                </LinkButton>
              </span>
            </div>
            <UserForm
              key={chosen.userId}
              userId={chosen.userId}
              username={chosen.username}
              rights={{ role: chosen.role, reveal: chosen.reveal, queues: chosen.queues }}
              disabled={chosen.disabledMs !== null}
              queues={names}
            />
          </section>
        ) : null}
        <section className="sec" aria-label="Accounts">
          {accounts.kind === "failed" ? (
            <ListUnread title="The accounts could not be read" sentence={accounts.sentence} code={accounts.code} />
          ) : (
            <UserTable users={users} nowMs={nowMs ?? Date.now()} chosen={chosen?.userId ?? null} you={viewer.userId} />
          )}
        </section>
        {chosen ? null : (
          <section className="sec" aria-labelledby="add-h">
            <div className="sechead">
              <h2 id="add-h">Add a user</h2>
            </div>
            <AddUserForm queues={names} />
          </section>
        )}
      </main>
    </>
  );
}
