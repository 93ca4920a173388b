import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { connection } from "next/server";
import { Entrance } from "@/app/sign-in/entrance";
import { SignInForm } from "@/app/sign-in/sign-in-form";
import { safeReturnTo } from "@/lib/auth/return-to";
import { isSetUp } from "@/lib/auth/setup-token";
import { who } from "@/lib/auth/who";
import { config } from "@/lib/config";
import { pools } from "@/lib/db/pools";

type Props = { searchParams: Promise<{ returnTo?: string | string[] }> };

export async function generateMetadata(): Promise<Metadata> {
  await connection();
  return { title: `Sign in to ${config().envName}` };
}

export default async function SignInPage({ searchParams }: Props) {
  await connection();
  const asked = (await searchParams).returnTo;
  const returnTo = safeReturnTo(typeof asked === "string" ? asked : null);
  // A database that is away must not take the page with it: the status beside the form says so.
  if (await who().catch(() => null)) redirect(returnTo ?? "/");
  if (!(await isSetUp(pools().own).catch(() => true))) {
    return (
      <Entrance
        title={`${config().envName} is not set up yet`}
        lead="Its first admin is made with a link that works once."
      >
        <p>
          Open the <b>Set-up</b> link that <code>npm start</code> printed in its terminal. It is printed again at each
          start until the first admin exists.
        </p>
      </Entrance>
    );
  }
  return (
    <Entrance title={`Sign in to ${config().envName}`} lead="Every action is recorded under your name.">
      <SignInForm returnTo={returnTo} />
      {returnTo ? (
        <p className="faint kept">
          Your link is kept: after sign-in you go to <code>{returnTo}</code>
        </p>
      ) : null}
    </Entrance>
  );
}
