import "server-only";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { PATH_HEADER, safeReturnTo } from "@/lib/auth/return-to";
import type { Who } from "@/lib/auth/role";
import { who } from "@/lib/auth/who";

/**
 * Every page of the desk begins with this: who is looking, or off to sign-in with the way back kept. A layout is not
 * enough, since Next may render a page without it.
 */
export async function requireViewer(): Promise<Who> {
  const viewer = await who();
  if (viewer) return viewer;
  const back = safeReturnTo((await headers()).get(PATH_HEADER));
  redirect(back && back !== "/" ? `/sign-in?returnTo=${encodeURIComponent(back)}` : "/sign-in");
}
