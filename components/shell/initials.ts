/** Two letters for an avatar or an environment: `Maya Okafor` MO, `prod-eu` PE, `maya` MA. */
export function initials(name: string): string {
  const words = name.split(/[\s._-]+/).filter(Boolean);
  const letters = words.length > 1 ? words.map((word) => word[0]).slice(0, 2) : [...(words[0] ?? "?")].slice(0, 2);
  return letters.join("").toUpperCase();
}
