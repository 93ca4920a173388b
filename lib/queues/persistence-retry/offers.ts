import type { RpcResult } from "@/lib/internal-rpc/result";
import { type InfoAnswer, PERSISTENCE_ROUTES } from "@/lib/internal-rpc/wire";
import { type OfferedRoute, offersBelow } from "@/lib/queues/engine-finding";

/** Whether the game server offers this route of persistence retry. */
export const offers = (info: RpcResult<InfoAnswer>, route: OfferedRoute) =>
  offersBelow(PERSISTENCE_ROUTES, info, route);
