import { NAV } from "@/components/shell/nav-entries";

type Entry = readonly [what: string, ...keys: string[]];

/** Every key that does something, as the help shows them. A key is listed when it works, not before. */
export const HELP: readonly { title: string; entries: readonly Entry[] }[] = [
  {
    title: "Move",
    entries: [
      ["Next, previous row", "j", "k"],
      ["Open row", "Enter"],
      ["Select row", "x"],
      ["Select all rows up to here", "Shift", "x"],
      ["Select all that match", "*", "a"],
      ["Close", "Esc"],
    ],
  },
  {
    title: "Act",
    entries: [
      ["Go to the requeue form", "r"],
      ["Copy payload without redacted fields", "c"],
    ],
  },
  {
    title: "View",
    entries: [
      ["Search", "/"],
      ["Add a filter", "f"],
      ["Relative or absolute times", "t"],
      ["Pause live updates", "."],
      ["Read the list again", "u"],
      ["Copy link to this view", "y"],
      ["This list", "?"],
    ],
  },
  { title: "Go", entries: NAV.map(({ label, key }): Entry => [label, "g", key]) },
];
