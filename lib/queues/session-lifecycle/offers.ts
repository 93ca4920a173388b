import { JOURNAL_ROUTES } from "@/lib/internal-rpc/journal-wire";
import type { RpcResult } from "@/lib/internal-rpc/result";
import type { InfoAnswer } from "@/lib/internal-rpc/wire";
import { type OfferedRoute, offersBelow } from "@/lib/queues/engine-finding";

/** Whether the game server offers this route of the journal. */
export const offers = (info: RpcResult<InfoAnswer>, route: OfferedRoute) => offersBelow(JOURNAL_ROUTES, info, route);
