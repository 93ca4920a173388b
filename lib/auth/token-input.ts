import { z } from "zod";
import { SCOPES, TOKEN_DAYS_MAX } from "@/lib/auth/api-tokens";
import { nameText } from "@/lib/auth/name-text";

const DAYS = `A whole number of days, 1 to ${TOKEN_DAYS_MAX}.`;
const CHOOSE = "Choose what it may do.";

/** What a new API token needs; each message is a sentence for the form. */
export const TokenInput = z.object({
  name: nameText("A name tells you later what it is for."),
  scopes: z.array(z.enum(SCOPES, CHOOSE), CHOOSE).min(1, CHOOSE).max(SCOPES.length, CHOOSE),
  days: z.number(DAYS).int(DAYS).min(1, DAYS).max(TOKEN_DAYS_MAX, DAYS),
});
