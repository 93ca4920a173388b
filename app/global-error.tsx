"use client";

import "./tokens.css";
import "./globals.css";
import "@/components/styles.css";
import PageError from "@/app/error";

/** The document itself broke: this one stands alone, in the theme of the system. */
export default function GlobalError(props: { error: unknown; retry: () => void }) {
  return (
    <html lang="en">
      <body>
        <title>Failed · Backstop</title>
        <PageError {...props} />
      </body>
    </html>
  );
}
