import { z } from "zod";
import { PASSWORD_MAX, PASSWORD_MIN } from "@/lib/auth/password";
import { normalUsername } from "@/lib/auth/users";

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
  displayName: z
    .string()
    .trim()
    .min(1, "Every action is recorded under this name.")
    .max(80, "At most 80 characters.")
    .regex(/^\P{C}*$/u, "No control characters."),
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
