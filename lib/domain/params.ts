/** The parameters of an address as a server gets them: anything may stand in them, any number of times. */
export type Params = Record<string, string | string[] | undefined>;

const TEXT_MAX = 200;
/** Any id that Postgres takes as a uuid: letters are not ours, so no version bits are asked for. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A value as a note may repeat it. */
const quoted = (text: string) => `“${text.length > 40 ? `${text.slice(0, 40)}…` : text}”`;

/**
 * Reads parameters that somebody wrote, cut or guessed. What cannot be used is left out, and `notes` says so in a
 * sentence each; nothing throws.
 */
export function paramsReader(params: Params) {
  const notes: string[] = [];

  /** A text of up to 200 characters that a store can hold; undefined: there is none. */
  function text(key: string, max = TEXT_MAX): string | undefined {
    const given = params[key];
    if (Array.isArray(given) && given.length > 1)
      notes.push(`${key} was given ${given.length} times: the first counts.`);
    const value = (Array.isArray(given) ? given[0] : given)?.trim();
    if (!value) return undefined;
    if (value.length > max) return drop(`${key} is longer than ${max} characters and was left out.`);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
    if (!value.isWellFormed() || /[\u0000-\u001f\u007f\ufffd]/.test(value)) {
      return drop(`${key} holds characters that no stored text can have, and was left out.`);
    }
    return value;
  }

  function drop(note: string): undefined {
    notes.push(note);
    return undefined;
  }

  return {
    notes,
    text,

    /** Values of a list that is separated by commas, each once. */
    list<T extends string>(key: string, allowed: readonly T[]): T[] {
      const values = text(key)?.split(",").filter(Boolean) ?? [];
      const unknown = values.filter((value) => !(allowed as readonly string[]).includes(value));
      for (const value of unknown) notes.push(`There is no ${key} ${quoted(value)}: it was left out.`);
      return allowed.filter((each) => values.includes(each));
    },

    /** An id; `what` names it in the note. */
    uuid(key: string, what: string): string | undefined {
      const value = text(key);
      if (value === undefined || UUID.test(value)) return value?.toLowerCase();
      return drop(`${quoted(value)} is not the id of a ${what}, so ${key} was left out.`);
    },

    /** A whole number from `min` to `max`. */
    count(key: string, min: number, max: number): number | undefined {
      const value = text(key);
      if (value === undefined) return undefined;
      const count = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
      return count >= min && count <= max
        ? count
        : drop(`${key} must be a number from ${min} to ${max}: it was left out.`);
    },

    /** A place in a list, if `isPlace` knows it. */
    place(key: string, isPlace: (text: string) => boolean): string | undefined {
      const value = text(key);
      if (value === undefined || isPlace(value)) return value;
      return drop("The place in the list was not understood, so this is its first page.");
    },
  };
}

export type ParamsReader = ReturnType<typeof paramsReader>;
