import { type Browser, test as base } from "playwright/test";

/** What browsers say when a page's policy kept something from loading or running. */
const REPORT = /Content Security Policy|Content-Security-Policy/i;

/** Of every page that was open since the last look, whoever opened it. */
const reports: string[] = [];

/** Has every context of a browser told of reports: those of `page`, and those that a test makes for itself. */
function watch(browser: Browser): Browser {
  const open = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await open(options);
    context.on("console", (message) => {
      if (REPORT.test(message.text())) reports.push(`${message.page()?.url() ?? "?"}: ${message.text()}`);
    });
    return context;
  };
  return browser;
}

/** As Playwright's own, and a test fails whose pages broke their Content Security Policy. */
export const test = base.extend<{ noReports: undefined }, { watched: Browser }>({
  watched: [({ browser }, use) => use(watch(browser)), { scope: "worker", auto: true }],
  noReports: [
    async ({ watched: _ }, use) => {
      await use(undefined);
      const told = reports.splice(0);
      if (told.length > 0) throw new Error(`a page broke its Content Security Policy:\n${told.join("\n")}`);
    },
    { auto: true },
  ],
});
