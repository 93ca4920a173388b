import { type MaskPath, plainKeys } from "./masking";

/** Payloads of one kind have the same few keys, and there are many of them. */
const plain = new Map<string, readonly string[]>();
const KNOWN_MAX = 1_000;

function knownKeys(key: string): readonly string[] {
  const known = plain.get(key);
  if (known !== undefined) return known;
  const keys = plainKeys(key);
  if (plain.size >= KNOWN_MAX) plain.clear();
  if (key.length <= 200) plain.set(key, keys);
  return keys;
}

/** Tells, value by value in the order of the source, which stand below a masked path: also in an object or a list. */
export class SecretWalk {
  depth = 0;
  private secretDepth: number | null = null;
  private next: readonly string[] = [];
  private secretNext = false;
  /** The keys that lead to where the walk is, and for each open bracket how many of them are its own. */
  private readonly keys: string[] = [];
  private readonly counts: number[] = [];

  constructor(private readonly paths: readonly MaskPath[]) {}

  open(): void {
    this.depth += 1;
    if (this.secretNext && this.secretDepth === null) this.secretDepth = this.depth;
    this.secretNext = false;
    for (const key of this.next) this.keys.push(key);
    this.counts.push(this.next.length);
    this.next = [];
  }

  close(): void {
    if (this.secretDepth === this.depth) this.secretDepth = null;
    this.depth -= 1;
    this.keys.length -= this.counts.pop() ?? 0;
    this.next = [];
  }

  /** A key as its writer means it: without quotes and escapes. */
  key(name: string): void {
    this.next = knownKeys(name);
    this.secretNext = this.paths.some((path) => this.endsWith(path));
  }

  /** A scalar by its source text. `null` is no secret. */
  value(text: string): boolean {
    const secret = (this.secretNext || this.secretDepth !== null) && text !== "null";
    this.secretNext = false;
    return secret;
  }

  /** Whether the keys up to the present one end with those of a path; with all of them where it is rooted. */
  private endsWith({ rooted, keys }: MaskPath): boolean {
    const total = this.keys.length + this.next.length;
    if (rooted ? total !== keys.length : total < keys.length) return false;
    for (let back = 1; back <= keys.length; back += 1) {
      const inNext = this.next.length - back;
      const key = inNext >= 0 ? this.next[inNext] : this.keys[this.keys.length + inNext];
      if (key !== keys[keys.length - back]) return false;
    }
    return keys.length > 0;
  }
}
