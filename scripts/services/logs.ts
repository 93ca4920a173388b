import { appendFileSync, copyFileSync, renameSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";

const BYTES_MAX = 4 << 20;

/** A log file of our own: one earlier file is kept, so it takes at most twice 4 MiB. */
export class CappedLog {
  private bytes: number;
  constructor(private readonly file: string) {
    this.bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  }
  /** Adds a line. A full disk loses log lines, nothing else. */
  line(text: string): void {
    const line = `${text}\n`;
    try {
      if (this.bytes > BYTES_MAX) {
        renameSync(this.file, `${this.file}.1`);
        this.bytes = 0;
      }
      appendFileSync(this.file, line, { mode: 0o600 });
      this.bytes += Buffer.byteLength(line);
    } catch {}
  }
}

/** Caps the logs that the servers write themselves: they hold the file open, so it is copied and emptied. */
export function capServerLogs(logsDir: string): void {
  for (const name of ["postgres.log", "redis.log"]) {
    const file = join(logsDir, name);
    try {
      if (statSync(file).size <= BYTES_MAX) continue;
      copyFileSync(file, `${file}.1`);
      truncateSync(file);
    } catch {}
  }
}
