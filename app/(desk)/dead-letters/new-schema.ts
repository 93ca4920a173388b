import { z } from "zod";
import { Reading } from "@/lib/domain/queue";

/** How many letters a page lacks. */
export const NewReading = Reading(z.object({ count: z.number() }));
