import type { Translation } from "../zh-CN";

export const kinds: Translation["kinds"] = {
  choose: "What do you want to watch?",
  preset: "Service",
  http: {
    label: "HTTP",
    question: "A website or API",
    hint: "Requests an address and checks what it answers and how fast.",
  },
  heartbeat: {
    label: "Heartbeat",
    question: "A cron job or backup",
    hint: "The job reports each run. You are told when a report is missing.",
  },
  ping: {
    label: "Ping",
    question: "A host or device",
    hint: "Pings a server, a router, a printer or the like.",
  },
  tcp: {
    label: "TCP port",
    question: "Another port",
    hint: "SSH, FTP, MQTT or any service that accepts TCP connections.",
    mail: { question: "A mail server", hint: "SMTP, IMAP or POP3, with encryption or without." },
    database: {
      question: "A database or cache",
      hint: "PostgreSQL, MySQL, MariaDB or Redis. No password is needed.",
    },
  },
  tls: {
    label: "Certificate",
    question: "A certificate",
    hint: "Warns before the certificate on any port expires. Websites have this built in.",
    begin: "How TLS begins",
    direct: "At once",
    after: "After STARTTLS ({{protocol}})",
    serverName: "Server name",
    serverNameHint: "The name on the certificate, if it is not the host's.",
    fingerprint: "SHA-256 fingerprint",
    fingerprintHint:
      "Accepts exactly this certificate, such as a self-signed one, until it expires. Empty: the issuer and the name are verified.",
  },
  certificate: {
    days: "Alert before the certificate expires",
    daysHint: "Days, such as 21, 7, 1. Each is alerted once for a certificate. Empty: no alerts.",
    never: "No alerts",
  },
  dns: {
    label: "DNS record",
    question: "A DNS record",
    hint: "Looks up a name and compares its records with those you expect.",
  },
  websocket: {
    label: "WebSocket",
    question: "A WebSocket",
    hint: "Connects, and can send a message and wait for the reply.",
  },
  grpc: {
    label: "gRPC",
    question: "A gRPC service",
    hint: "Calls the standard health check of the server.",
  },
};
