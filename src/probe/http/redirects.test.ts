import { expect, it } from "bun:test";
import { probe, targetOf } from "../../testing/servers/target-of";
import { serveRedirects, serveTarget } from "../../testing/servers/targets";

const chain = (length: number) =>
  Object.fromEntries(Array.from({ length }, (_, index) => [`/${index}`, `/${index + 1}`]));

it("follows at most ten redirects", async () => {
  const { origin, requests } = serveRedirects(chain(10));
  expect(await probe(targetOf({ url: `${origin}/0` }))).toMatchObject({ up: true, statusCode: 200 });
  expect(requests).toHaveLength(11);
  const longer = serveRedirects(chain(11));
  const outcome = await probe(targetOf({ url: `${longer.origin}/0` }));
  expect(outcome).toMatchObject({
    up: false,
    statusCode: null,
    error: { code: "redirects_too_many", detail: { limit: 10 } },
  });
  expect(longer.requests).toHaveLength(11);
});

it("fails in a redirect loop", async () => {
  const { url, requests } = serveRedirects({ "/": "/" });
  expect((await probe(targetOf({ url }))).error?.code).toMatch(/^redirects_/);
  expect(requests).toHaveLength(11);
});

it("does not follow a redirect that is the expected status", async () => {
  for (const expectedStatus of [3, 302]) {
    const { url, requests } = serveRedirects({ "/": "/next" });
    expect(await probe(targetOf({ url, expectedStatus }))).toMatchObject({ up: true, statusCode: 302 });
    expect(requests).toHaveLength(1);
  }
  const { url } = serveRedirects({ "/": "/next" });
  expect((await probe(targetOf({ url, expectedStatus: 301 }))).error).toEqual({
    code: "status",
    detail: { actual: 302, expected: "301" },
  });
});

it("compares the last status, and does not follow a redirect without Location", async () => {
  const ended = serveTarget((_, { path }) =>
    path === "/"
      ? new Response(null, { status: 301, headers: { location: "/gone" } })
      : new Response("", { status: 410 }),
  );
  expect((await probe(targetOf({ url: ended.url }))).error).toEqual({
    code: "status",
    detail: { actual: 410, expected: "200" },
  });
  const nowhere = serveTarget(() => new Response(null, { status: 302 }));
  expect((await probe(targetOf({ url: nowhere.url }))).error).toEqual({
    code: "status",
    detail: { actual: 302, expected: "200" },
  });
});

it("changes the method to GET or keeps method and body as browsers do", async () => {
  const went = async (status: number, method: "POST" | "PUT" | "HEAD") => {
    const { url, requests } = serveRedirects({ "/": "/next" }, status);
    await probe(targetOf({ url, method, body: "ping", headers: { "content-type": "text/plain" } }));
    const { method: then, body, headers } = requests[1]!;
    return [then, body, headers["content-type"]];
  };
  const [get, post, put] = [
    ["GET", "", undefined],
    ["POST", "ping", "text/plain"],
    ["PUT", "ping", "text/plain"],
  ];
  expect(await went(301, "POST")).toEqual(get!);
  expect(await went(302, "POST")).toEqual(get!);
  expect(await went(303, "POST")).toEqual(get!);
  expect(await went(303, "PUT")).toEqual(get!);
  expect(await went(301, "PUT")).toEqual(put!);
  expect(await went(307, "POST")).toEqual(post!);
  expect(await went(308, "PUT")).toEqual(put!);
  expect((await went(303, "HEAD"))[0]).toBe("HEAD");
});

it("sends no custom headers, credentials or body to another origin, nor back to the first one", async () => {
  const other = serveTarget((_, { path }) =>
    path === "/there"
      ? new Response(null, { status: 307, headers: { location: `${home.origin}/back` } })
      : new Response(),
  );
  const home = serveRedirects({ "/": "/same", "/same": `${other.origin}/there` }, 307);
  const secrets = {
    Authorization: "Bearer x",
    Cookie: "session=1",
    "Proxy-Authorization": "Basic x",
    "X-Api-Key": "1",
    "Private-Token": "1",
    "X-Vault-Token": "1",
    "CF-Access-Client-Secret": "1",
    "Content-Type": "application/json",
    Host: "shop.example",
  };
  const headers = { ...secrets, Accept: "text/plain", "User-Agent": "bob's own" };
  const url = home.url.replace("//", "//alice:secret@");
  expect(await probe(targetOf({ url, method: "POST", body: "ping", headers }))).toMatchObject({ up: true });

  const [first, same, back] = home.requests;
  const lowerCase = Object.fromEntries(Object.entries(secrets).map(([name, value]) => [name.toLowerCase(), value]));
  for (const request of [first, same]) expect(request).toMatchObject({ body: "ping", headers: lowerCase });
  const { host: _, ...foreign } = lowerCase;
  for (const request of [other.requests[0], back]) {
    expect(Object.keys(request?.headers ?? {})).not.toContainAnyValues(Object.keys(foreign));
    expect(request).toMatchObject({ method: "POST", body: "", headers: { accept: "text/plain" } });
    expect(request?.headers["user-agent"]).toBe("bob's own");
    expect(request?.headers.host).toStartWith("127.0.0.1:");
  }
});

it("sends the credentials of a URL to no other origin", async () => {
  const other = serveTarget();
  const home = serveRedirects({ "/": other.url });
  await probe(targetOf({ url: home.url.replace("//", "//alice:secret@") }));
  expect(home.requests[0]?.headers.authorization).toStartWith("Basic ");
  expect(other.requests[0]?.headers.authorization).toBeUndefined();
});

it("follows redirects to http and https only", async () => {
  for (const place of ["ftp://127.0.0.1/", "file:///etc/passwd", "javascript:alert(1)", "http://["]) {
    const { url } = serveRedirects({ "/": place });
    expect((await probe(targetOf({ url }))).error?.code).toMatch(/^redirects_/);
  }
});

it("ends within the timeout, which all redirects share", async () => {
  const { origin, requests } = serveTarget(async (_, { path }) => {
    await Bun.sleep(300);
    return new Response(null, { status: 302, headers: { location: `${path}x` } });
  });
  expect((await probe(targetOf({ url: `${origin}/`, timeout: 1 }))).error?.code).toBe("timeout");
  // The first hop answered in time, so the timeout applies to the sum.
  expect(requests.length).toBeGreaterThan(1);
});
