import "./tokens.css";
import "./globals.css";
import "@/components/styles.css";
import type { Metadata, Viewport } from "next";
import { cookies } from "next/headers";
import type { ReactNode } from "react";

export const metadata: Metadata = {
  title: { default: "Backstop", template: "%s · Backstop" },
  referrer: "same-origin",
};

export const viewport: Viewport = { colorScheme: "dark light", width: "device-width", initialScale: 1 };

/** The document. The theme comes from the reader's cookie, written into the first byte of HTML: nothing can flash. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const chosen = (await cookies()).get("backstop_theme")?.value;
  const theme = chosen === "light" || chosen === "dark" ? chosen : undefined;
  return (
    <html lang="en" data-theme={theme} suppressHydrationWarning>
      <head>
        <link rel="preload" href="/fonts/inter-latin-opsz.woff2" as="font" type="font/woff2" crossOrigin="anonymous" />
      </head>
      <body>{children}</body>
    </html>
  );
}
