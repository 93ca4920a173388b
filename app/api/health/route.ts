import { openRoute } from "@/lib/auth/route";

/** Says that this web process serves, and nothing of the stores: whether they answer is the desk's to show. */
export const dynamic = "force-dynamic";

export const GET = openRoute(() => ({ ok: true }));
