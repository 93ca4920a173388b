import { parseArgs } from "node:util";

export type Options = {
  engineKills: number;
  postgresKills: number;
  producerKills: number;
  cuts: number;
  freezes: number;
  modelRuns: number;
  /** No new round begins after so long; null: all of them. */
  minutes: number | null;
  seed: number;
};

export const USAGE = `npm run chaos -- [--engine-kills N] [--postgres-kills N] [--producer-kills N] [--cuts N] [--freezes N]
                  [--model-runs N] [--minutes N] [--seed N]`;

/** Throws where an argument is no count. Without arguments: the counts that docs/reliability.md reports. */
export function parseOptions(args: string[]): Options {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    args,
    options: {
      "engine-kills": text,
      "postgres-kills": text,
      "producer-kills": text,
      cuts: text,
      freezes: text,
      "model-runs": text,
      minutes: text,
      seed: text,
    },
  });
  const whole = (name: keyof typeof values, usual: number) => {
    const given = values[name];
    if (given === undefined) return usual;
    if (!/^\d{1,9}$/.test(given)) throw new Error(`--${name} is a whole number, and not "${given}".\n${USAGE}`);
    return Number(given);
  };
  return {
    engineKills: whole("engine-kills", 100),
    postgresKills: whole("postgres-kills", 100),
    producerKills: whole("producer-kills", 10),
    cuts: whole("cuts", 100),
    freezes: whole("freezes", 12),
    modelRuns: whole("model-runs", 1_000),
    minutes: values.minutes === undefined ? null : whole("minutes", 0),
    seed: whole("seed", Math.floor(Math.random() * 1_000_000_000)),
  };
}
