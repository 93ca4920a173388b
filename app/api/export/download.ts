import { logLine } from "@/lib/queues/log-line";

/** A file that is written while it is read: `parts` is asked for no more than the reader takes. */
export function download(parts: AsyncGenerator<string>, name: string, type: string): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { value, done } = await parts.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      } catch (error) {
        // What is cut off must not look whole: the browser says that the download failed.
        logLine({ event: "export_failed", name, error: String(error) });
        controller.error(error);
      }
    },
    async cancel() {
      await parts.return(undefined);
    },
  });
  return new Response(body, {
    headers: {
      "content-type": `${type}; charset=utf-8`,
      "content-disposition": `attachment; filename="${name}"`,
      "x-content-type-options": "nosniff",
    },
  });
}

/** `20261114-034107`, for the name of a file. */
export const fileStamp = (ms: number) =>
  new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-");
