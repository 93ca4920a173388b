import type fc from "fast-check";
import type { Model, Real } from "./model";
import { assertSameAsModel } from "./same-as-model";

export type Command = fc.AsyncCommand<Model, Real>;

/** One thing that happens: `run` does it, asserts its answer and moves the model; then the whole store is compared. */
export function command(
  name: string,
  possible: (model: Model) => boolean,
  run: (model: Model, real: Real) => Promise<void>,
): Command {
  return {
    check: (model) => possible(model),
    async run(model, real) {
      await run(model, real);
      real.ran.commands += 1;
      await assertSameAsModel(model, real);
    },
    toString: () => name,
  };
}
