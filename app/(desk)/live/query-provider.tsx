"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { FROM } from "@/app/(desk)/live/poll-checked";

/**
 * Where what moves by itself is kept: one cache for the browser's tab, a new one for each page that the server writes.
 * `from`: which process wrote the page.
 */
export function QueryProvider({ from, children }: { from: string; children: ReactNode }) {
  const [client] = useState(() => {
    const made = new QueryClient();
    made.setQueryDefaults(FROM, { gcTime: Number.POSITIVE_INFINITY });
    made.setQueryData(FROM, from);
    return made;
  });
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}
