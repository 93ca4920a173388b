import { StateTag } from "@/components/ui/state-tag";
import { Row, RowTh, Table, Td, Th } from "@/components/ui/table";
import { PERMISSIONS, type Permission } from "@/lib/auth/permissions";
import { atLeast, type Who } from "@/lib/auth/role";
import { whyNotEveryQueue, whyNotRole } from "@/lib/auth/why-not";

/** Everything that this desk lets people do, and whether it lets this one. */
export function PermissionTable({ viewer, demo }: { viewer: Who; demo: boolean }) {
  const here = Object.entries(PERMISSIONS).filter(([name]) => demo || !name.startsWith("demo_"));
  return (
    <Table
      label="What you may do"
      bleed
      columns={2}
      head={
        <>
          <Th>What</Th>
          <Th>You</Th>
        </>
      }
    >
      {here.map(([name, { does, ...needs }]) => (
        <Row key={name}>
          <RowTh className="full">{does}</RowTh>
          <Td className="full">
            <Verdict because={whyNot(viewer, needs)} />
          </Td>
        </Row>
      ))}
    </Table>
  );
}

function whyNot(viewer: Who, { need, reveal, everyQueue }: Omit<Permission, "does">): string | null {
  if (!atLeast(viewer.role, need)) return whyNotRole(viewer.role, need);
  if (everyQueue && viewer.queues !== null) return whyNotEveryQueue();
  return reveal && !viewer.reveal ? "This needs the permission to reveal, which an admin gives." : null;
}

function Verdict({ because }: { because: string | null }) {
  return because === null ? <StateTag state="ok">You may</StateTag> : <span className="muted">{because}</span>;
}
