import { join } from "node:path";
import { CappedLog } from "./logs";

/** What the person who started it sees, and what is kept in files. */
export type Terminal = {
  /** An event worth reading: shown, and kept. */
  say(line: string): void;
  /** Shown only: the set-up link is a secret and must not lie in a file. */
  show(line: string): void;
  /** What a child prints: kept in its own file; what it says as an error, and in development everything, is shown, too. */
  child(name: string): (line: string, stream: "stdout" | "stderr") => void;
  /** From here on, files in this folder. */
  keepIn(logsDir: string): void;
};

/** Without a folder for logs (given stores, a container) everything goes to the terminal. */
export function openTerminal(dev: boolean): Terminal {
  let folder: string | undefined;
  const files = new Map<string, CappedLog>();
  const keep = (name: string, line: string) => {
    if (!folder) return;
    const file = files.get(name) ?? new CappedLog(join(folder, `${name}.log`));
    files.set(name, file);
    file.line(`${new Date().toISOString()} ${line}`);
  };
  // `npm start | head`: the reader may go before we do.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  return {
    say(line) {
      console.log(line);
      keep("backstop", line);
    },
    show: (line) => console.log(line),
    child: (name) => (line, stream) => {
      keep(name, line);
      if (!folder || dev || (stream === "stderr" && !isRoutine(line))) console.log(`${name.padEnd(6)} | ${line}`);
    },
    keepIn(logsDir) {
      folder = logsDir;
    },
  };
}

/** Events that a program writes for other programs, unless it calls them errors itself. */
function isRoutine(line: string): boolean {
  return line.startsWith("{") && !/"level":"(error|fatal)"/.test(line);
}
