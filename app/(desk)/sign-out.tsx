import { signOut } from "@/app/sign-in/actions";
import { Button } from "@/components/ui/button";

/** Ends this session. */
export function SignOut() {
  return (
    <form action={signOut}>
      <Button type="submit" variant="quiet" icon="log-out">
        Sign out
      </Button>
    </form>
  );
}
