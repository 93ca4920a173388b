import { z } from "zod";

// What compiles checks with `new Function` would be refused, and reported, by a strict content policy.
z.config({ jitless: true });

// What polls are checked with. Loaded when the first answer comes that needs it, never with the page.
export { HistoryReading } from "@/lib/domain/history";
export { ListStateReading } from "@/lib/domain/list-state";
export { Overview } from "@/lib/domain/overview";
export { RecentReading } from "@/lib/domain/recent";
export { OperationView } from "@/lib/domain/requeue";
export { WorkersReading } from "@/lib/domain/worker";
