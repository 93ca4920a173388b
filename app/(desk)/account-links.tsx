import { SignOut } from "@/app/(desk)/sign-out";
import { LinkButton } from "@/components/ui/link-button";
import { atLeast, type Role } from "@/lib/auth/role";

/** What stands behind one's own name: what one may do, the users for who looks after them, and the way out. */
export function AccountLinks({ role }: { role: Role }) {
  return (
    <>
      <LinkButton href="/you" variant="quiet">
        Your permissions
      </LinkButton>
      {atLeast(role, "admin") ? (
        <LinkButton href="/users" variant="quiet">
          Users
        </LinkButton>
      ) : null}
      <SignOut />
    </>
  );
}
