import Link from "next/link";
import { Row, RowTh, Table, Td, Th } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import type { UserAccount } from "@/lib/auth/list-users";

const ROLE_WORDS = { viewer: "Viewer", operator: "Operator", admin: "Admin" } as const;

type Props = { users: readonly UserAccount[]; nowMs: number; chosen: string | null; you: string };

/** The accounts, those that may sign in first; each name opens its account. */
export function UserTable({ users, nowMs, chosen, you }: Props) {
  return (
    <Table
      label="Accounts"
      bleed
      head={
        <>
          <Th>User</Th>
          <Th>Role</Th>
          <Th>Reveal</Th>
          <Th>Queues</Th>
          <Th end>Sessions</Th>
          <Th end>API tokens</Th>
          <Th end>Last seen</Th>
          <Th>State</Th>
        </>
      }
    >
      {users.map((user) => (
        <Row key={user.userId} listed dim={user.disabledMs !== null}>
          <RowTh className="o1">
            <Link
              className="link"
              href={`/users?user=${user.userId}`}
              prefetch={false}
              aria-current={user.userId === chosen ? "true" : undefined}
            >
              {user.displayName}
            </Link>{" "}
            <span className="faint">
              {user.username}
              {user.userId === you ? ", you" : ""}
            </span>
          </RowTh>
          <Td name="Role">{ROLE_WORDS[user.role]}</Td>
          <Td name="Reveal">
            {user.role === "admin" ? "Yes, as an admin" : user.role === "operator" && user.reveal ? "Yes" : "No"}
          </Td>
          <Td name="Queues">{user.queues === null ? "All" : user.queues.join(", ")}</Td>
          <Td name="Sessions" end>
            {user.sessions}
          </Td>
          <Td name="API tokens" end>
            {user.tokens}
          </Td>
          <Td name="Last seen" end>
            {user.seenMs === null ? "–" : <Time atMs={user.seenMs} nowMs={nowMs} />}
          </Td>
          <Td name="State">
            {user.disabledMs === null ? (
              "May sign in"
            ) : (
              <>
                Disabled <Time atMs={user.disabledMs} nowMs={nowMs} />
              </>
            )}
          </Td>
        </Row>
      ))}
    </Table>
  );
}
