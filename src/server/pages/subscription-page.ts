/** The page of a subscriber: it confirms, changes and ends a subscription, and works without scripts. */
import { createHash } from "node:crypto";
import type { Deps } from "../../core/deps";
import { acceptedLanguage } from "../../lib/headers/accepted-language";
import { escapeHtml } from "../../lib/html";
import { signingSecret } from "../../modules/status-page/subscribers/token";
import {
  act,
  type Choice,
  isKnown,
  readVisit,
  type SubscriptionLink,
  type Visit,
  type VisitAction,
} from "../../modules/status-page/subscribers/visit";
import type { Language } from "../../shared/language";
import { readBounded } from "../request-limits";
import { contentSecurityPolicy, inLanguage, logoOrigin, readDocument } from "./documents";
import { homePath, inPlace, type Place, placeAtDomain, placeAtHub } from "./place";
import { inTheme, statusSlug } from "./status-page";
import { SUBSCRIPTION_WORDS } from "./subscription-words";

/** The page and the token in the path of a subscriber's link; null for other paths. */
export const subscriptionLink = (path: string): SubscriptionLink | null => {
  const [, page = "", token = ""] = /^(\/status\/[^/]+)\/subscription\/([0-9a-z-]{1,60})\/?$/.exec(path) ?? [];
  const slug = statusSlug(page);
  return slug ? { slug, token } : null;
};

/** The query of the call that a path names as `/status/subscribe` or `/status/NAME/subscribe`; null for other paths. */
export const subscribeQuery = (path: string): string | null => {
  const [match, page = ""] = /^\/status(\/[^/]+)?\/subscribe\/?$/.exec(path) ?? [];
  if (!match) return null;
  const slug = statusSlug(`/status${page}`);
  return slug ? `?page=${encodeURIComponent(slug)}` : slug === undefined ? "" : null;
};

const STYLE = `
.subscription { display: grid; gap: 1rem; margin: 0; padding: 1.25rem; border: 1px solid var(--line); border-radius: var(--radius-large); background: var(--surface); }
.subscription h2 { font-size: 1.1875rem; }
.subscription p { margin: 0; overflow-wrap: anywhere; }
.subscription form { display: grid; gap: 0.75rem; margin: 0; }
.subscription button { width: fit-content; margin: 0; }
.subscription fieldset { display: grid; gap: 0.25rem; min-width: 0; margin: 0; padding: 0; border: 0; }
.subscription legend { margin: 0 0 0.25rem; padding: 0; font-weight: 600; }
.subscription .quiet { border-color: var(--line-strong); }
.subscription fieldset ul { margin: 0; padding: 0; }
.subscription fieldset li { list-style: none; margin: 0; }
.subscription label { display: flex; gap: 0.625rem; align-items: center; width: fit-content; max-width: 100%; margin: 0; padding: 0.3125rem 0; overflow-wrap: anywhere; }
.subscription [type="checkbox"] { flex: none; width: 1.125rem; height: 1.125rem; margin: 0; accent-color: var(--brand); }
.subscription .group { margin-top: 0.5rem; color: var(--ink-soft); font-size: var(--small); }
.subscription .done { padding: 0.625rem 0.875rem; border-radius: var(--radius); background: var(--up-soft); color: var(--up-text); }
.subscription .leave { padding-top: 1rem; border-top: 1px solid var(--line); }
.subscription .soft { color: var(--ink-soft); font-size: var(--small); }
`;
const STYLE_HASH = `'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`;

const button = (action: string, label: string, kind = ""): string =>
  `<button type="submit" name="action" value="${action}"${kind && ` class="${kind}"`}>${escapeHtml(label)}</button>`;

type Content = { visit: Visit; language: Language; action: string; home: string; done: string; secret: string };

const choicesOf = (choices: readonly Choice[]): string => {
  const groups = [...Map.groupBy(choices, ({ group }) => group)];
  return groups
    .map(([group, members]) => {
      const items = members.map(
        ({ key, name, chosen }) =>
          `<li><label><input type="checkbox" name="component" value="${key}"${chosen ? " checked" : ""}>${escapeHtml(name)}</label></li>`,
      );
      return `${group ? `<p class="group">${escapeHtml(group)}</p>` : ""}<ul>${items.join("")}</ul>`;
    })
    .join("");
};

const contentOf = ({ visit, language, action, home, done, secret }: Content): { title: string; html: string } => {
  const words = SUBSCRIPTION_WORDS[language];
  const form = (inner: string, kind = "") =>
    `<form method="post" action="${escapeHtml(action)}"${kind && ` class="${kind}"`}>${inner}</form>`;
  const back = `<p><a href="${escapeHtml(home)}">${escapeHtml(words.back)}</a></p>`;
  if (!isKnown(visit)) {
    const [title, text] = done === "left" ? words.left : words[visit.state];
    return { title, html: `<p>${escapeHtml(text)}</p>${back}` };
  }
  const { address, kind } = visit.subscriber;
  const line = `<p><b>${escapeHtml(address)}</b></p>`;
  if (visit.state === "confirm")
    return {
      title: words.confirm,
      html: `${line}<p>${escapeHtml(words.confirmText)}</p>${form(button("confirm", words.confirmButton))}`,
    };
  const notice = done === "confirmed" || done === "saved" ? words[done] : "";
  const choice =
    visit.choices.length > 1
      ? form(
          `<fieldset><legend>${escapeHtml(words.components)}</legend>${choicesOf(visit.choices)}</fieldset>${button("save", words.save)}`,
        )
      : "";
  const signing =
    kind === "webhook" ? `<p class="soft">${escapeHtml(words.secret)} <code>${escapeHtml(secret)}</code></p>` : "";
  return {
    title: words.manage,
    html: [
      notice && `<p class="done" role="status">${escapeHtml(notice)}</p>`,
      line,
      `<p>${escapeHtml(words.manageText)}</p>`,
      signing,
      choice,
      form(button("leave", words.leave, "quiet"), "leave"),
      back,
    ].join(""),
  };
};

/** The largest body of a form. */
const MAX_FORM = 16 * 1024;

/** The action of a form. A mail client's request to unsubscribe has a field of its own (RFC 8058). */
const actionOf = async (request: Request, visit: Visit): Promise<(VisitAction & { oneClick?: true }) | null> => {
  const headers = { "content-type": request.headers.get("content-type") ?? "" };
  const body = await readBounded(request, MAX_FORM);
  const form = await new Response(body, { headers }).formData().catch(() => null);
  if (form?.get("List-Unsubscribe") === "One-Click") return { kind: "leave", oneClick: true };
  const action = form?.get("action");
  if (action === "confirm" || action === "leave") return { kind: action };
  if (action !== "save" || !form || !isKnown(visit)) return null;
  const known = new Set(visit.choices.map(({ key }) => key));
  const keys = form.getAll("component").flatMap((key) => (typeof key === "string" && known.has(key) ? [key] : []));
  // All that is there now also stands for what is added later.
  return { kind: "save", keys: keys.length === 0 || keys.length === known.size ? undefined : keys };
};

/** Where and why the page of a subscriber is shown: after an action, `done` names it. */
type Shown = { place: Place; link: SubscriptionLink; done: string };

const linkPath = ({ base, home }: Place, token: string): string => `${base}${home}/subscription/${token}`;

/** Serves the pages of subscribers; their template lies in `directory`. */
export const createSubscriptionPage = (directory: string, deps: Deps) => {
  const { config } = deps;
  const template = readDocument(directory, "status.html", config)
    .replaceAll(/<script\b[\s\S]*?<\/script>/g, "")
    .replaceAll(/<link rel="modulepreload"[^>]*>/g, "");
  const show = (request: Request, visit: Visit, { place, link, done }: Shown): Response => {
    const { page } = visit;
    const known = isKnown(visit) ? visit : null;
    const language =
      known?.subscriber.language ?? acceptedLanguage(request.headers.get("accept-language")) ?? visit.language;
    const home = homePath(place);
    const action = linkPath(place, known?.state === "manage" ? known.token : link.token);
    const secret = known ? signingSecret(deps, known.subscriber) : "";
    const { title, html } = contentOf({ visit, language, action, home, done, secret });
    const name = page.title || SUBSCRIPTION_WORDS[language].untitled;
    const logo = page.logoUrl
      ? `<img class="logo" src="${escapeHtml(page.logoUrl)}" alt="" referrerpolicy="no-referrer">`
      : "";
    const content = `<main class="page" id="main"><div class="hero">${logo}<h1>${escapeHtml(name)}</h1></div><section class="subscription"><h2>${escapeHtml(title)}</h2>${html}</section></main>`;
    const text = inTheme(inPlace(inLanguage(template, language), place), page.theme)
      .replace(/<title>[\s\S]*?<\/title>/, () => `<title>${escapeHtml(`${title} · ${name}`)}</title>`)
      .replace("</head>", () => `<style>${STYLE}</style></head>`)
      .replace(/(<div id="root">)\s*(<\/div>)/, (_, open, close) => open + content + close);
    const policy = `${contentSecurityPolicy(logoOrigin(page.logoUrl))}; style-src 'self' ${STYLE_HASH}`;
    const headers = {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy,
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
    };
    return new Response(request.method === "HEAD" ? null : text, { headers });
  };

  /** The answer to a request for a link; null without a page. `atDomain`: at a domain of the page. */
  return async (request: Request, link: SubscriptionLink, atDomain = false): Promise<Response | null> => {
    const visit = await readVisit(deps, link);
    if (!visit) return null;
    const { slug } = visit.page;
    const place = atDomain ? placeAtDomain(slug) : placeAtHub(slug, config);
    const shown = (done: string) => ({ place, link, done });
    if (request.method === "GET" || request.method === "HEAD")
      return show(request, visit, shown(new URL(request.url).searchParams.get("done") ?? ""));
    if (request.method !== "POST") return null;
    const action = await actionOf(request, visit);
    if (action) await act(deps, visit, action);
    if (action?.oneClick) return new Response("unsubscribed\n", { headers: { "content-type": "text/plain" } });
    if (!isKnown(visit) || !action) return show(request, visit, shown(""));
    if (action.kind === "leave") {
      const { page, subscriber } = visit;
      return show(request, { page, language: subscriber.language, state: "ended" }, shown("left"));
    }
    const done = action.kind === "confirm" ? "confirmed" : "saved";
    const location = `${linkPath(place, visit.token)}?done=${done}`;
    return new Response(null, { status: 303, headers: { location, "cache-control": "no-store" } });
  };
};

export type SubscriptionPage = ReturnType<typeof createSubscriptionPage>;
