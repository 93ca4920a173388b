"use client";

import { useEffect, useState } from "react";

/**
 * The token in the address's fragment, which browsers never send; taken out of the address at once, so that neither
 * the history nor a screenshot keeps it. `null` until the browser has looked, then the token, or "" where there is none.
 */
export function useSetupToken(): string | null {
  const [token, setToken] = useState<string | null>(null);
  useEffect(() => {
    const take = () => {
      const found = window.location.hash.slice(1);
      if (found) window.history.replaceState(null, "", window.location.pathname);
      setToken((before) => found || before || "");
    };
    take();
    window.addEventListener("hashchange", take);
    return () => window.removeEventListener("hashchange", take);
  }, []);
  return token;
}
