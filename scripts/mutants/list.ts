import { readFileSync } from "node:fs";
import { z } from "zod";

/** One guard taken away: `find` (exactly once in the file) becomes `replace`, and at least one of `tests` must go red. */
const Mutant = z.object({
  name: z.string().min(1),
  file: z.string().min(1),
  find: z.string().min(1),
  replace: z.string(),
  /** Test files; both projects' are told apart by their names. */
  tests: z.array(z.string().endsWith(".test.ts")).min(1),
  /** Only tests whose title matches this, where the files are long. */
  title: z.string().optional(),
});
export type Mutant = z.infer<typeof Mutant>;

/** The list in `scripts/mutants.json`; throws where an entry is damaged or two have one name. */
export function readMutants(): Mutant[] {
  const mutants = z.array(Mutant).parse(JSON.parse(readFileSync("scripts/mutants.json", "utf8")));
  const twice = mutants.find(({ name }, index) => mutants.findIndex((other) => other.name === name) !== index);
  if (twice) throw new Error(`Two mutants are called "${twice.name}".`);
  return mutants;
}
