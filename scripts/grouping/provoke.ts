import { errorText } from "@/lib/engine/pg/error-text";
import { type Cause, VARIANTS, valuesOf } from "./cause";

export type Sample = { cause: string; error: string };

/** Every variant of every cause, made to fail for real, as the text that its letter would show. One after the other. */
export async function provoke(causes: Cause[]): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const { name, fail } of causes) {
    for (let n = 0; n < VARIANTS; n += 1) samples.push({ cause: name, error: await failure(name, fail, n) });
  }
  return samples;
}

async function failure(name: string, fail: Cause["fail"], n: number): Promise<string> {
  try {
    await fail(valuesOf(n));
  } catch (error) {
    return errorText(error);
  }
  throw new Error(`"${name}" did not fail, variant ${n}`);
}
