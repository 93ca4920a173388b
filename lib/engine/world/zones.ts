/** A zone of the demo world. Ids are what the catalog, the characters and the ledger refer to. */
export type Zone = { zoneId: string; realmId: string; name: string };

const zone = (realmId: string, name: string): Zone => ({ realmId, name, zoneId: slug(name) });

const slug = (name: string) =>
  name
    .toLowerCase()
    .replaceAll("'", "")
    .replaceAll(/[^a-z]+/g, "_");

export const REALMS = ["aurelia", "thornmark"] as const;

/** Where characters live and fight. */
export const OPEN_ZONES: Zone[] = [
  zone("aurelia", "Lanternfall"),
  zone("aurelia", "The Saltmarsh Steps"),
  zone("aurelia", "Hollowmere"),
  zone("aurelia", "Cinder Wharf"),
  zone("aurelia", "Goldenreach Downs"),
  zone("thornmark", "Briarhold"),
  zone("thornmark", "Wolfwater Ford"),
  zone("thornmark", "The Ninth Terrace"),
  zone("thornmark", "Ravenscar Heights"),
  zone("thornmark", "Mosswick"),
];

const FRONTIER_NAMES = [
  "Ashfall Caldera",
  "Gloamwood Deep",
  "Stormglass Shelf",
  "Widow's Barrow",
  "The Sunken Choir",
  "Frostmaw Pass",
  "Emberglass Rift",
  "Nightharrow Fen",
];

/** The nth zone that the catalog has and nobody has been to: two realms in turn, new names without end. */
export function frontierZone(n: number): Zone {
  const realm = REALMS[n % REALMS.length] ?? REALMS[0];
  const name = FRONTIER_NAMES[n % FRONTIER_NAMES.length] ?? "The Far Shore";
  const round = Math.floor(n / FRONTIER_NAMES.length);
  const later = zone(realm, `${name}, Deep ${round + 1}`);
  return round === 0 ? zone(realm, name) : { ...later, zoneId: `${slug(name)}_${round + 1}` };
}
