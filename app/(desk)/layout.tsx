import { connection } from "next/server";
import type { ReactNode } from "react";
import { DeskFrame } from "@/app/(desk)/live/desk-frame";
import { QueryProvider } from "@/app/(desk)/live/query-provider";
import { SignOut } from "@/app/(desk)/sign-out";
import { requireViewer } from "@/lib/auth/guard";
import { environment } from "@/lib/console/environment";
import { readOverview } from "@/lib/console/overview/read";
import { processId } from "@/lib/console/process-id";

/** The frame of every signed-in page. It protects nothing: each page asks by itself who is looking. */
export default async function DeskLayout({ children }: { children: ReactNode }) {
  await connection();
  const { displayName, role } = await requireViewer();
  return (
    <QueryProvider from={processId()}>
      <DeskFrame
        environment={environment()}
        me={{ name: displayName, role }}
        signOut={<SignOut />}
        initial={await readOverview()}
      >
        {children}
      </DeskFrame>
    </QueryProvider>
  );
}
