/** The services of TCP monitors that the form fills in and the hub accepts. */

export const TCP_PRESETS = ["smtp", "imap", "pop3", "ssh", "ftp", "mysql", "postgres", "redis", "mqtt"] as const;
export type TcpPreset = (typeof TCP_PRESETS)[number];

/** How a connection is encrypted: not at all, from its first byte, or after a command. */
export const TCP_TLS = ["no", "direct", "starttls"] as const;
export type TcpTls = (typeof TCP_TLS)[number];

type Service = {
  /** Its name, the same in every language. */
  name: string;
  /** The form's label for a preset of several services. */
  label?: string;
  /** The usual port of each kind of encryption that the protocol has. */
  ports: { no: number; direct?: number; starttls?: number };
};

export const TCP_SERVICES: Readonly<Record<TcpPreset, Service>> = {
  smtp: { name: "SMTP", ports: { no: 25, direct: 465, starttls: 587 } },
  imap: { name: "IMAP", ports: { no: 143, direct: 993, starttls: 143 } },
  pop3: { name: "POP3", ports: { no: 110, direct: 995, starttls: 110 } },
  ssh: { name: "SSH", ports: { no: 22 } },
  ftp: { name: "FTP", ports: { no: 21, direct: 990, starttls: 21 } },
  mysql: { name: "MySQL", label: "MySQL, MariaDB", ports: { no: 3306 } },
  postgres: { name: "PostgreSQL", ports: { no: 5432, direct: 5432, starttls: 5432 } },
  redis: { name: "Redis", ports: { no: 6379, direct: 6379 } },
  mqtt: { name: "MQTT", ports: { no: 1883, direct: 8883 } },
};

/** The kinds of encryption that can be chosen: without a preset, those that need no command. */
export const tlsOf = (preset: TcpPreset | undefined): TcpTls[] =>
  TCP_TLS.filter((tls) => (preset ? TCP_SERVICES[preset].ports[tls] !== undefined : tls !== "starttls"));

/** The services that a check can sign in to. */
const LOGIN_PRESETS = ["mysql", "postgres", "redis"] as const satisfies TcpPreset[];
export type LoginPreset = (typeof LOGIN_PRESETS)[number];

export const isLoginPreset = (preset: unknown): preset is LoginPreset => LOGIN_PRESETS.some((name) => name === preset);

/** Credentials of a check; empty for no sign-in. */
export type Login = { user: string; password: string };
