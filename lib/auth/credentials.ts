import { z } from "zod";
import { nameText } from "@/lib/auth/name-text";
import { PASSWORD_MAX, PASSWORD_MIN } from "@/lib/auth/password";
import { normalUsername } from "@/lib/auth/users";
import { seenText } from "@/lib/domain/unseen";

/** Whether a reader of the audit would take a name for the desk's own. */
const isReserved = (name: string) => seenText(name.normalize("NFKC")).toLowerCase() === "system";

/** What a new account needs; each message stands under its field. */
export const NewAccount = z.object({
  username: z
    .string()
    .transform(normalUsername)
    .pipe(
      z
        .string()
        .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, "1 to 64 letters, digits, dots, dashes or underscores, no spaces."),
    ),
  displayName: nameText("Every action is recorded under this name.").refine(
    (name) => !isReserved(name),
    "The desk itself is called system: take another name.",
  ),
  password: z
    .string()
    .min(PASSWORD_MIN, `At least ${PASSWORD_MIN} characters.`)
    .max(PASSWORD_MAX, `At most ${PASSWORD_MAX} characters.`),
});

/** What sign-in needs. It does not judge the form of a username: that would tell who cannot exist. */
export const Credentials = z.object({
  username: z.string().trim().min(1, "Your username is missing.").max(200, "At most 200 characters."),
  password: z.string().min(1, "Your password is missing.").max(PASSWORD_MAX, `At most ${PASSWORD_MAX} characters.`),
});
