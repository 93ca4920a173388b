import { expect, type Page } from "playwright/test";

/** Which of some secrets a text holds, as they are or as HTML, JSON and addresses write them. */
export function told(text: string, secrets: readonly string[]): string[] {
  return secrets.filter((secret) =>
    [secret, encodeURIComponent(secret), secret.replaceAll(" ", "&#x20;"), secret.replaceAll("@", "\\u0040")].some(
      (written) => text.includes(written),
    ),
  );
}

/** Where secrets are told: each address as its raw HTML (or file) and, of pages, as the flight data of a navigation. */
export async function secretsIn(page: Page, url: string, paths: readonly string[], secrets: readonly string[]) {
  const found: string[] = [];
  for (const path of paths) {
    const asked: Record<string, string>[] = path.startsWith("/api/") ? [{}] : [{}, { rsc: "1" }];
    for (const headers of asked) {
      const answer = await page.request.get(url + path, { headers });
      expect(answer.status(), path).toBe(200);
      found.push(
        ...told(await answer.text(), secrets).map((secret) => `${path} ${JSON.stringify(headers)}: ${secret}`),
      );
    }
  }
  return found;
}
