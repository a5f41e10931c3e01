/** Mails to subscribers, as HTML and as text. */
import { dateTimeFormat, type Language } from "../../../shared/language";
import type { IncidentImpact } from "../../../shared/status/incidents";
import type { Severity } from "../../alerting/channels/kind";
import { mailDocument } from "../../alerting/channels/kinds/mail/html";
import { renderMarkdown } from "../incidents/markdown";
import type { Subject } from "./subjects";
import { MAIL_WORDS } from "./texts";

export type Reader = {
  language: Language;
  /** The title of the page. */
  page: string;
  /** The addresses of the page and of the link to manage the subscription. */
  address: string;
  manage: string;
};

export type Written = { subject: string; html: string; text: string };

/** The title of a page as a mail names it, in one line. */
export const pageName = (title: string, language: Language): string =>
  title.replace(/\s+/g, " ").trim().slice(0, 100) || MAIL_WORDS[language].untitled;

const STYLE = "color:#1c1a2b;font-size:15px;line-height:1.5";
const line = (text: string): string => `<p class="line" style="margin:0 0 8px;${STYLE}">${Bun.escapeHTML(text)}</p>`;
const soft = (text: string): string =>
  `<p class="soft" style="margin:12px 0 0;color:#5d5b72;font-size:14px;line-height:1.5">${Bun.escapeHTML(text)}</p>`;

/** Paragraphs, lists and links of an update look as in the rest of the mail, also in its dark theme. */
const inMail = (html: string): string =>
  html
    .replaceAll("<p>", '<p style="margin:0 0 10px">')
    .replaceAll(/<(ul|ol)>/g, '<$1 style="margin:0 0 10px;padding-left:22px">')
    .replaceAll("<a ", '<a style="color:inherit" ');

type Parts = {
  subject: string;
  title: string;
  severity: Severity;
  state: string;
  /** As HTML and as lines of text. */
  content: string;
  lines: readonly string[];
  button: { label: string; url: string };
};

const write = (parts: Parts, reader: Reader, hasFoot: boolean): Written => {
  const { language, page, address, manage } = reader;
  const words = MAIL_WORDS[language];
  const { subject, title, severity, state, content, lines, button } = parts;
  const link = (url: string, label: string) =>
    `<a class="soft" href="${Bun.escapeHTML(url)}" style="color:#5d5b72">${Bun.escapeHTML(label)}</a>`;
  const foot = hasFoot
    ? `${Bun.escapeHTML(words.foot(page))}<br>${link(manage, words.unsubscribe)}`
    : link(address, page);
  return {
    subject,
    html: mailDocument({ language, title, severity, state: Bun.escapeHTML(state), content, buttons: [button], foot }),
    text: [
      ...lines,
      "",
      `${button.label}${words.colon}${button.url}`,
      ...(hasFoot ? ["", "-- ", words.foot(page), `${words.unsubscribe}${words.colon}${manage}`] : []),
      "",
    ].join("\n"),
  };
};

/** A mail about the subscription itself. `url` confirms it, or manages it. */
export const writeOwn = (kind: "confirm" | "manage", url: string, reader: Reader): Written => {
  const words = MAIL_WORDS[reader.language];
  const { subject, lines, button } = words[kind];
  const [title, texts] = [subject(reader.page), lines(reader.page)];
  return write(
    {
      ...{ subject: title, title, severity: "info", state: words.subscription },
      content: texts.map(line).join(""),
      lines: texts,
      button: { label: button, url },
    },
    reader,
    false,
  );
};

const SEVERITIES: Record<IncidentImpact, Severity> = {
  none: "info",
  minor: "warning",
  major: "critical",
  critical: "critical",
};

const timeIn = (language: Language, at: number): string =>
  `${dateTimeFormat(language, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" }).format(at)} UTC`;

/** A mail about an update of an incident or a stage of maintenance. */
export const writeNotice = (subject: Subject, reader: Reader): Written => {
  const { language, page, address } = reader;
  const words = MAIL_WORDS[language];
  const named = subject.components.map(({ name, status }) =>
    status === null || subject.type === "maintenance" ? name : words.stated(name, words.component[status]),
  );
  const affected = named.length > 0 ? [words.affects + named.join(words.separator)] : [];
  if (subject.type === "incident") {
    const { incident, update } = subject;
    const state = words.incident[update.status];
    const at = timeIn(language, update.at);
    return write(
      {
        subject: words.subject(page, state, incident.title),
        title: incident.title,
        severity: update.status === "resolved" ? "resolved" : SEVERITIES[incident.impact],
        state,
        content: `<div class="line" style="${STYLE}">${inMail(renderMarkdown(update.body))}</div>${[...affected, at].map(soft).join("")}`,
        lines: [`${state}${words.colon}${incident.title}`, "", update.body, "", ...affected, at],
        button: { label: words.openIncident, url: `${address}/incidents/${incident.publicKey}` },
      },
      reader,
      true,
    );
  }
  const { stage, from, to } = subject;
  const [state, title] = [words.stage[stage], subject.title.trim() || words.maintenance];
  const span = words.from(timeIn(language, from), timeIn(language, to));
  return write(
    {
      subject: words.subject(page, state, title),
      ...{ title, severity: stage === "ended" ? "resolved" : "info", state },
      content: [line(span), ...affected.map(soft)].join(""),
      lines: [`${state}${words.colon}${title}`, "", span, ...affected],
      button: { label: words.openPage, url: address },
    },
    reader,
    true,
  );
};
