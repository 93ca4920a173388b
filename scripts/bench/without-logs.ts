/** Runs something of the engine in this process without its log lines: what a bench prints is figures. */
export async function withoutLogs<T>(run: () => Promise<T>): Promise<T> {
  const { write } = process.stdout;
  process.stdout.write = () => true;
  try {
    return await run();
  } finally {
    process.stdout.write = write;
  }
}
