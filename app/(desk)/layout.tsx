import { connection } from "next/server";
import type { ReactNode } from "react";
import { AccountLinks } from "@/app/(desk)/account-links";
import { DeskFrame } from "@/app/(desk)/live/desk-frame";
import { QueryProvider } from "@/app/(desk)/live/query-provider";
import { requireViewer } from "@/lib/auth/guard";
import { environment } from "@/lib/console/environment";
import { ofQueues } from "@/lib/console/overview/of-queues";
import { readOverview } from "@/lib/console/overview/read";
import { processId } from "@/lib/console/process-id";

/** The frame of every signed-in page. It protects nothing: each page asks by itself who is looking. */
export default async function DeskLayout({ children }: { children: ReactNode }) {
  await connection();
  const viewer = await requireViewer();
  const { displayName, role } = viewer;
  return (
    <QueryProvider from={processId()}>
      <DeskFrame
        environment={environment()}
        me={{ name: displayName, role }}
        signOut={<AccountLinks role={role} />}
        initial={await readOverview().then(ofQueues(viewer))}
      >
        {children}
      </DeskFrame>
    </QueryProvider>
  );
}
