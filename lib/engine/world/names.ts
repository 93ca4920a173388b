/** How many live in the demo world. */
export const CHARACTERS = 180;

const FIRST = [
  "Bran",
  "Cael",
  "Dar",
  "Ely",
  "Fenn",
  "Gwyn",
  "Isol",
  "Kael",
  "Lor",
  "Mar",
  "Neth",
  "Or",
  "Pell",
  "Ros",
  "Syl",
  "Tam",
  "Ul",
  "Vey",
  "Wyn",
  "Yr",
];
const LAST = ["noch", "wen", "dric", "ara", "is", "mar", "eth", "lin", "ric", "ys"];

/** The nth name; the first two hundred differ. */
export function characterName(n: number): string {
  const first = FIRST[n % FIRST.length] ?? "";
  // A step further each round, so that neighbours do not all end alike.
  const last = LAST[(Math.floor(n / FIRST.length) + n) % LAST.length] ?? "";
  return first.endsWith(last.slice(0, 1)) ? `${first}${last.slice(1)}` : `${first}${last}`;
}

export const ITEMS = [
  "cinder_plate_shard",
  "wolfsbane_tonic",
  "gilded_thimble",
  "storm_quartz",
  "marsh_pearl",
  "raven_quill",
];
