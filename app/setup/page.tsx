import type { Metadata } from "next";
import { connection } from "next/server";
import { SetUpForm } from "@/app/setup/setup-form";
import { Entrance } from "@/app/sign-in/entrance";
import { LinkButton } from "@/components/ui/link-button";
import { isSetUp } from "@/lib/auth/setup-token";
import { config } from "@/lib/config";
import { pools } from "@/lib/db/pools";

export async function generateMetadata(): Promise<Metadata> {
  await connection();
  return { title: `Set up ${config().envName}` };
}

export default async function SetUpPage() {
  await connection();
  // Where the database does not say, the form stays: the action asks again, and the status beside it tells why.
  if (await isSetUp(pools().own).catch(() => false)) {
    return (
      <Entrance title={`${config().envName} is set up`} lead="Somebody is its first admin, and the link is spent.">
        <LinkButton href="/sign-in" variant="primary" size="lg" wide>
          Sign in
        </LinkButton>
      </Entrance>
    );
  }
  return (
    <Entrance title={`Set up ${config().envName}`} lead="You become its first admin. The link works once.">
      <SetUpForm />
    </Entrance>
  );
}
