import { expect, test } from "playwright/test";
import { ROLES } from "@/lib/auth/role";
import { startSession } from "@/lib/auth/session";
import { createUser, insertUser } from "@/lib/auth/users";
import { filesOf } from "@/scripts/testing/declared";
import { makeLetter } from "@/scripts/testing/game";
import { type Product, QUIET_ENGINE, startProduct } from "@/scripts/testing/product";
import { type Answer, ask, type Callable, call, callables, declaredHere, endingOf, urlOf } from "./pages/access";
import { makePeople, type Person } from "./pages/people";

// Every action, route and page, found by reading the sources, for everybody who could ask. No browser: what a page
// hides is no protection.

let product: Product;
let people: Person[];
let actions: Callable[];
let routes: { path: string; method: string; need: string }[];
let pages: string[];
let letter: { letterId: string; characterId: string };

test.beforeAll(async () => {
  test.setTimeout(300_000);
  product = await startProduct({ env: QUIET_ENGINE });
  people = await makePeople(product.pool("backstop_own"));
  // The engine makes its tables while the desk is ready already.
  const engine = product.pool("engine");
  await expect(async () => void (await engine.query("select from zone_catalog"))).toPass({ timeout: 60_000 });
  letter = await makeLetter(engine);
  const values = { queue: "persistence-retry", id: letter.letterId };
  const declared = declaredHere();
  actions = callables(declared.actions, values);
  routes = declared.routes.map(({ file, name, declared: of }) => ({
    path: urlOf(file, values),
    method: name,
    need: of?.role ?? "none",
  }));
  pages = filesOf("app", /(^|\/)page\.tsx$/).map((file) => urlOf(file, values));
});
test.afterAll(() => product?.end({ forget: true }));

const own = () => ({ origin: product.url });
const ORIGINS: Record<string, () => Record<string, string>> = {
  own,
  foreign: () => ({ origin: "https://evil.example" }),
  "of another port": () => ({ origin: "http://127.0.0.1:1" }),
  null: () => ({ origin: "null" }),
  missing: () => ({}),
  "own, from another site": () => ({ ...own(), "sec-fetch-site": "cross-site" }),
  "own, from another port": () => ({ ...own(), "sec-fetch-site": "same-site" }),
};

/** Everybody asks from a page of ours; a few of each sort from everywhere else as well. */
const originsFor = ({ name }: Person) =>
  Object.entries(ORIGINS).filter(([origin]) => origin === "own" || FROM_EVERYWHERE.includes(name));
const FROM_EVERYWHERE = ["nobody", "admin", "token that marks"];

/** The cells of a walk that ended otherwise than they should. */
async function wrong(cells: { name: string; want: string; run: () => Promise<string> }[]): Promise<string[]> {
  const found: string[] = [];
  const rest = cells.values();
  const walk = async () => {
    for (const { name, want, run } of rest) {
      const got = await run();
      if (got !== want) found.push(`${name}: ${got}, not ${want}`);
    }
  };
  await Promise.all([walk(), walk(), walk(), walk()]);
  return found.sort();
}

const isRole = (need: string): need is (typeof ROLES)[number] => (ROLES as readonly string[]).includes(need);
const enough = (role: Person["role"], need: string) =>
  role !== null && isRole(need) && ROLES.indexOf(role) >= ROLES.indexOf(need);

function actionEnding({ role, scopes, limited }: Person, { need, everyQueue }: Callable, origin: string): string {
  if (origin !== "own") return "refused";
  if (need === "anyone") return "invalid";
  // A token is for routes alone: to an action it says nothing.
  if (role === null || scopes !== undefined) return "signed_out";
  if (!enough(role, need)) return "forbidden";
  return everyQueue && limited ? "refused" : "invalid";
}

const actionCells = (as: (person: Person) => Person) =>
  actions
    // It takes no input, so that it would end the session that it is asked with: it has a test of its own.
    .filter(({ name }) => name !== "sign_out")
    .flatMap((action) =>
      people.flatMap((person) =>
        originsFor(person).map(([origin, headers]) => ({
          name: `${action.name}, ${person.name}, origin ${origin}`,
          want: actionEnding(as(person), action, origin),
          run: async () => endingOf(await ask(product.url, call(action, { ...person.headers, ...headers() }))),
        })),
      ),
    );

function routeStatus({ role, scopes }: Person, { method, need }: (typeof routes)[number], origin: string): number {
  if (need === "anyone") return 200;
  const reads = method === "GET";
  if (scopes !== undefined) {
    if (scopes === null) return 401;
    return scopes.includes(reads ? "read" : "mark") && enough(role, need) ? (reads ? 200 : 400) : 403;
  }
  if (reads && origin.startsWith("own, ")) return 403;
  if (role === null) return 401;
  if (!reads && origin !== "own") return 403;
  return enough(role, need) ? (reads ? 200 : 400) : 403;
}

const routeCells = (as: (person: Person) => Person) =>
  routes.flatMap((route) =>
    people.flatMap((person) =>
      originsFor(person).map(([origin, headers]) => ({
        name: `${route.method} ${route.path}, ${person.name}, origin ${origin}`,
        want: String(routeStatus(as(person), route, origin)),
        run: async () => {
          const { status, text } = await ask(product.url, {
            ...route,
            headers: { ...person.headers, ...headers() },
            body: route.method === "POST" ? "{}" : undefined,
          });
          if (person.limited && tellsOf(text)) return `${status} and tells of another queue`;
          return String(status);
        },
      })),
    ),
  );

/** Whether an answer holds anything of the letter, whose queue not everybody may see. */
const tellsOf = (text: string) => text.includes(letter.letterId.slice(0, 13)) || text.includes(letter.characterId);

test("every action, for everybody and from everywhere: nobody gets further than they should", async () => {
  expect(actions.length).toBeGreaterThan(15);
  expect(await wrong(actionCells((person) => person))).toEqual([]);
});

test("every route, for everybody and from everywhere: nobody gets further than they should", async () => {
  expect(routes.length).toBeGreaterThan(8);
  expect(await wrong(routeCells((person) => person))).toEqual([]);
});

test("a method that a route does not declare does nothing", async () => {
  const { headers } = people.find(({ name }) => name === "admin") as Person;
  const others = routes.flatMap(({ path, method }) =>
    ["POST", "PUT", "PATCH", "DELETE", "GET"]
      .filter((other) => other !== method)
      .map((other) => ({
        name: `${other} ${path}`,
        want: "405",
        run: async () =>
          String((await ask(product.url, { path, method: other, headers: { ...headers, ...own() } })).status),
      })),
  );
  expect(await wrong(others)).toEqual([]);
});

test("every page, for everybody: who is nobody is led to sign-in and told nothing", async () => {
  const told = new Set<string>();
  const cells = pages.flatMap((path) =>
    people.map((person) => {
      const open = path === "/sign-in" || path === "/setup";
      const somebody = person.role !== null && person.scopes === undefined;
      const inside = open ? (somebody && path === "/sign-in" ? "led on" : "shown") : somebody ? "shown" : "led away";
      return {
        name: `${path}, ${person.name}`,
        want: inside,
        run: async () => {
          const answer = await ask(product.url, { path, headers: person.headers });
          const mayKnow = somebody && !person.limited;
          if (mayKnow && tellsOf(answer.text)) told.add(path);
          if (!mayKnow && (answer.text + (answer.headers.location ?? "")).includes(letter.characterId))
            return "told of the letter";
          return pageEnding(answer);
        },
      };
    }),
  );
  expect(await wrong(cells)).toEqual([]);
  // The letter's page tells of it to those who may see it; else this would prove nothing.
  expect([...told]).toContain(`/dead-letters/persistence-retry/${letter.letterId}`);
});

function pageEnding({ status, headers }: Answer): string {
  const to = String(headers.location ?? "");
  if (status === 307) return to.startsWith("/sign-in") ? "led away" : to === "/" ? "led on" : `led to ${to}`;
  return status === 200 || status === 404 ? "shown" : `status ${status}`;
}

test("an action that is asked for by GET does nothing, and after the whole walk nothing has changed", async () => {
  const { headers } = people.find(({ name }) => name === "admin") as Person;
  for (const action of actions) {
    const answer = await ask(product.url, {
      ...call(action, { ...headers, ...own() }),
      method: "GET",
      body: undefined,
    });
    expect(endingOf(answer), action.name).toMatch(/^(status |refused$)/);
  }
  const { rows } = await product
    .pool("backstop_own")
    .query("select distinct action from backstop.audit where phase <> 'refusal' and actor_name <> 'test'");
  expect(rows).toEqual([]);
});

// What follows changes accounts, so it comes after the walk.

const actionNamed = (name: string): Callable => {
  const found = actions.find((action) => action.name === name);
  if (!found) throw new Error(`no action ${name}`);
  return found;
};
const personNamed = (name: string): Person => people.find((person) => person.name === name) as Person;
const who = async (headers: Record<string, string>) =>
  (await ask(product.url, { path: "/api/recent", headers })).status;

/** The sign-in form as a browser without JavaScript sends it. */
async function form(fields: Record<string, string>, headers: Record<string, string>): Promise<Answer> {
  const page = await ask(product.url, { path: "/sign-in" });
  const hidden = [...page.text.matchAll(/<input type="hidden" name="([^"]*)"(?: value="([^"]*)")?/g)].map(
    ([, name = "", value = ""]) => [name, value.replaceAll("&quot;", '"').replaceAll("&amp;", "&")],
  );
  const boundary = "----walk";
  const parts = [...hidden, ...Object.entries(fields)].map(
    ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return ask(product.url, {
    path: "/sign-in",
    method: "POST",
    headers: { "content-type": `multipart/form-data; boundary=${boundary}`, ...headers },
    body: `${parts.join("")}--${boundary}--\r\n`,
  });
}
const PASSWORD = "correct horse battery";
const cookieIn = ({ headers }: Answer) =>
  [headers["set-cookie"] ?? []]
    .flat()
    .join()
    .match(/backstop=([\w-]{43})/)?.[1];

test("fixation: whatever cookie a browser had, a sign-in gives it another, and that of before is worth nothing", async () => {
  const own = product.pool("backstop_own");
  const userId = await createUser(own, { username: "jonas", displayName: "J", role: "operator", password: PASSWORD });
  for (const planted of ["A".repeat(43), await startSession(own, userId)]) {
    const signed = await form(
      { username: "jonas", password: PASSWORD },
      { origin: product.url, cookie: `backstop=${planted}` },
    );
    const token = cookieIn(signed);
    expect(token).toBeDefined();
    expect(token).not.toBe(planted);
    expect([await who({ cookie: `backstop=${token}` }), await who({ cookie: `backstop=${planted}` })]).toEqual([
      200, 401,
    ]);
    expect(String(signed.headers["set-cookie"])).toMatch(/HttpOnly/i);
    expect(String(signed.headers["set-cookie"])).toMatch(/SameSite=lax/i);
  }
});

test("a form of another site signs nobody in, whatever Origin it comes with", async () => {
  for (const [name, headers] of Object.entries(ORIGINS)) {
    if (name === "own") continue;
    const answer = await form({ username: "jonas", password: PASSWORD }, headers());
    expect(cookieIn(answer), name).toBeUndefined();
  }
});

test("after sign-in nobody is led elsewhere, whatever the address asked for", async () => {
  for (const returnTo of [
    "//evil.example",
    "/\\evil.example",
    "/%09/evil.example",
    "https://evil.example",
    "/\t/evil.example",
  ]) {
    const signed = await form({ username: "jonas", password: PASSWORD, returnTo }, { origin: product.url });
    expect([cookieIn(signed) === undefined, signed.headers.location], returnTo).toEqual([false, "/"]);
    const path = `/sign-in?returnTo=${encodeURIComponent(returnTo)}`;
    const shown = await ask(product.url, { path, headers: personNamed("viewer").headers });
    expect([shown.status, shown.headers.location], returnTo).toEqual([307, "/"]);
    const away = await ask(product.url, { path: "/retries", headers: { "x-backstop-path": returnTo } });
    expect(away.headers.location, returnTo).toBe("/sign-in?returnTo=%2Fretries");
  }
});

test("a Host, a forwarded host and headers of the framework's own that are forged open nothing", async () => {
  const { headers } = personNamed("admin");
  const revoke = actionNamed("user_revoke");
  const evil = "evil.example";
  const forged: Record<string, string>[] = [
    { host: evil, origin: `http://${evil}` },
    { "x-forwarded-host": evil, origin: `http://${evil}` },
    { host: evil, "x-forwarded-host": evil, "x-forwarded-proto": "https", origin: `https://${evil}` },
    { forwarded: `host=${evil};proto=https`, origin: `https://${evil}` },
  ];
  for (const each of forged)
    expect(endingOf(await ask(product.url, call(revoke, { ...headers, ...each }))), JSON.stringify(each)).toBe(
      "refused",
    );
  for (const name of [
    "x-middleware-subrequest",
    "x-middleware-next",
    "x-middleware-override-headers",
    "x-middleware-rewrite",
    "x-middleware-set-cookie",
    "x-nextjs-data",
    "x-matched-path",
    "x-invoke-path",
  ])
    for (const value of ["1", "/", "proxy:proxy:proxy:proxy:proxy", "src/proxy", "/api/health"]) {
      const page = await ask(product.url, { path: "/retries", headers: { [name]: value } });
      expect(page.text, `${name}: ${value}`).not.toContain("Retries and leases");
      expect(await who({ [name]: value }), `${name}: ${value}`).toBe(401);
    }
});

test("an old cookie is worth nothing after sign-out, after another role, a reset, an end of sessions, and when disabled", async () => {
  const own = product.pool("backstop_own");
  const { headers: admin } = personNamed("admin");
  const act = async (name: string, input: unknown) =>
    endingOf(await ask(product.url, call(actionNamed(name), { ...admin, origin: product.url }, [input])));
  const viewer = { role: "viewer", reveal: false, queues: null };
  const ways: [string, (userId: string, cookie: Record<string, string>) => Promise<unknown>][] = [
    [
      "sign-out",
      async (_, cookie) => ask(product.url, call(actionNamed("sign_out"), { ...cookie, origin: product.url })),
    ],
    ["demotion", (userId) => act("user_rights", { userId, rights: viewer })],
    ["reset", (userId) => act("user_reset", { userId })],
    ["revocation", (userId) => act("user_revoke", { userId })],
    ["disabling", (userId) => act("user_disable", { userId })],
  ];
  for (const [name, end] of ways) {
    const userId = await insertUser(own, { username: name, displayName: name, role: "operator", passwordHash: "-" });
    const cookie = { cookie: `backstop=${await startSession(own, userId)}` };
    expect(await who(cookie), name).toBe(200);
    const forged = await ask(product.url, call(actionNamed("sign_out"), { ...cookie, origin: "https://evil.example" }));
    expect([endingOf(forged), await who(cookie)], name).toEqual(["refused", 200]);
    await end(userId, cookie);
    expect(await who(cookie), name).toBe(401);
  }
});

test("set-up is over once there is a user: a token, invented or old, makes nobody an admin", async () => {
  const own = product.pool("backstop_own");
  const token = new URL(product.setupUrl ?? "http://none#").hash.slice(1);
  const count = async () => (await own.query("select 1 from backstop.users")).rowCount;
  const before = await count();
  const setUp = actionNamed("set_up");
  for (const each of [token, "A".repeat(43), ""]) {
    const boundary = "----walk";
    const fields = { token: each, username: "mallory", displayName: "Mallory", password: PASSWORD };
    const parts = [
      ...Object.entries(fields).map(([name, value]) => [`1_${name}`, value]),
      ["0", JSON.stringify([{}, "$K1"])],
    ].map(([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);
    await ask(product.url, {
      path: "/setup",
      method: "POST",
      headers: {
        "next-action": setUp.id,
        origin: product.url,
        "content-type": `multipart/form-data; boundary=${boundary}`,
      },
      body: `${parts.join("")}--${boundary}--\r\n`,
    });
  }
  expect(await count()).toBe(before);
});

test("a body that is too large is refused before it is parsed", async () => {
  const { headers } = personNamed("admin");
  const large = "x".repeat(300_000);
  const action = await ask(
    product.url,
    call(actionNamed("note"), { ...headers, ...own() }, [{ groupId: "1", body: large }]),
  );
  expect(action.status).toBeGreaterThanOrEqual(400);
  const mark = { word: "deploy", text: large };
  const route = await ask(product.url, {
    path: "/api/marks",
    method: "POST",
    headers: { ...headers, ...own() },
    body: JSON.stringify(mark),
  });
  expect([route.status, JSON.parse(route.text).kind]).toEqual([413, "too_large"]);
});

test("on a read-only desk everybody is a viewer, by cookie and by token", async () => {
  test.setTimeout(120_000);
  const { stateDir } = product;
  await product.end();
  product = await startProduct({ stateDir, env: { ...QUIET_ENGINE, READ_ONLY: "1" } });
  const asViewer = (person: Person): Person => (person.role === null ? person : { ...person, role: "viewer" });
  expect(await wrong(actionCells(asViewer))).toEqual([]);
  expect(await wrong(routeCells(asViewer))).toEqual([]);
});
