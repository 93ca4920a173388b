/** Says that this web process serves, and nothing of the stores: whether they answer is the desk's to show. */
export const dynamic = "force-dynamic";

export function GET(): Response {
  return Response.json({ ok: true }, { headers: { "cache-control": "no-store" } });
}
