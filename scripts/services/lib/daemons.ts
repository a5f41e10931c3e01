/** Debian's daemons as the tests start them: without data, on loopback, and as quick as they are careless. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Certificate } from "./authority";
import type { Plan } from "./service";

/** Text of a configuration file out of its lines, without the ones that do not apply. */
const lines = (...all: (string | false | undefined)[]) => `${all.filter(Boolean).join("\n")}\n`;

export const redis = (...options: string[]): Plan => ({
  program: "redis-server",
  args: ({ port }) => ["--port", `${port}`, "--bind", "127.0.0.1", "--dir", ".", "--save", "", ...options],
});

/** Redis whose only port speaks TLS. */
export const secureRedis = ({ cert, key }: Certificate): Plan => ({
  program: "redis-server",
  args: ({ port }) => [
    ...["--port", "0", "--tls-port", `${port}`, "--bind", "127.0.0.1", "--dir", ".", "--save", ""],
    ...["--tls-cert-file", cert, "--tls-key-file", key, "--tls-auth-clients", "no"],
  ],
});

export const mosquitto = (options: { certificate?: Certificate; password?: string } = {}): Plan => ({
  program: "mosquitto",
  args: () => ["-c", "mosquitto.conf"],
  unprivileged: true,
  files: ({ port }) => ({
    "mosquitto.conf": lines(
      `listener ${port} 127.0.0.1`,
      `allow_anonymous ${!options.password}`,
      options.password && "password_file passwords",
      options.certificate && `certfile ${options.certificate.cert}`,
      options.certificate && `keyfile ${options.certificate.key}`,
    ),
  }),
  prepare: () => (options.password ? [["mosquitto_passwd", "-c", "-b", "passwords", "alice", options.password]] : []),
});

/** MariaDB that reads no accounts: that spares the tables, whose creation takes longer than all other tests. */
export const mariadb = (...options: string[]): Plan => ({
  program: "mariadbd",
  args: ({ folder, port }) => [
    ...["--no-defaults", `--datadir=${folder}`, `--socket=${folder}/socket`, `--pid-file=${folder}/pid`],
    ...[`--port=${port}`, "--bind-address=127.0.0.1", "--skip-grant-tables", "--skip-networking=0"],
    ...["--innodb-buffer-pool-size=8M", "--innodb-log-file-size=4M", "--performance-schema=0", ...options],
  ],
  unprivileged: true,
  stopSignal: "SIGKILL",
});

/** MariaDB with the account `alice`, whose password is `secret`. */
export const mariadbOfAlice = (...options: string[]): Plan => {
  const plan = mariadb(...options);
  return {
    ...plan,
    args: (place) => [
      ...plan.args(place).filter((option) => option !== "--skip-grant-tables"),
      `--init-file=${place.folder}/accounts`,
    ],
    files: () => ({
      accounts: lines("drop user if exists ''@localhost;", "create user alice@'%' identified by 'secret';"),
    }),
    prepare: ({ folder }) => [
      ["mariadb-install-db", "--no-defaults", `--datadir=${folder}`, "--skip-test-db", "--skip-name-resolve"],
    ],
  };
};

/** MariaDB with accounts, which counts failed connections from other addresses than loopback, and blocks after the first. */
export const strictMariadb = (): Plan => mariadbOfAlice("--max-connect-errors=1", "--bind-address=0.0.0.0");

/** The folder of the newest version of PostgreSQL's programs. */
const postgresPrograms = () => {
  const root = "/usr/lib/postgresql";
  const [newest] = readdirSync(root).toSorted((a, b) => Number(b) - Number(a));
  return join(root, newest ?? "", "bin");
};

type PostgresOptions = {
  certificate?: Certificate;
  /** How users sign in. */
  auth?: "trust" | "scram-sha-256" | "md5";
  settings?: string[];
  /** A standby that waits for its primary, and accepts no sessions until then. */
  isStarting?: boolean;
};

const isAnswering = (port: number) =>
  Bun.spawnSync([join(postgresPrograms(), "pg_isready"), "-q", "-h", "127.0.0.1", "-p", `${port}`]).exitCode === 0;

export const postgres = ({ certificate, auth = "trust", settings = [], isStarting }: PostgresOptions = {}): Plan => {
  const all = [
    ...["fsync=off", ...settings],
    ...(certificate ? ["ssl=on", "ssl_cert_file=certificate", "ssl_key_file=key"] : []),
    ...(isStarting ? ["hot_standby=off"] : []),
  ];
  // The server refuses a key that other users may read.
  const keep = (from: string, to: string) => ["install", "-m", "600", from, `data/${to}`];
  return {
    program: join(postgresPrograms(), "postgres"),
    args: ({ port }) => [
      ...["-D", "data", "-p", `${port}`, "-h", "127.0.0.1", "-k", ""],
      ...all.flatMap((setting) => ["-c", setting]),
    ],
    unprivileged: true,
    stopSignal: "SIGQUIT",
    // The port accepts connections before the server does.
    ...(!isStarting && { isReady: async ({ port }) => isAnswering(port) }),
    files: () => ({ password: "sécret\n", "standby.signal": "" }),
    prepare: () => [
      [
        join(postgresPrograms(), "initdb"),
        "-D",
        "data",
        "-U",
        "postgres",
        "-A",
        auth,
        "--pwfile=password",
        "--locale=C",
        "--no-sync",
      ],
      ...(isStarting ? [keep("standby.signal", "standby.signal")] : []),
      ...(certificate ? [keep(certificate.cert, "certificate"), keep(certificate.key, "key")] : []),
    ],
  };
};

export const sshd = (...options: string[]): Plan => ({
  program: "sshd",
  // sshd starts itself again for each connection, by its full path.
  args: ({ folder }) => ["-D", "-e", "-f", `${folder}/sshd_config`, ...options.flatMap((option) => ["-o", option])],
  unprivileged: true,
  files: ({ folder, port }) => ({
    sshd_config: lines(`Port ${port}`, "ListenAddress 127.0.0.1", `HostKey ${folder}/key`, "PidFile none", "UsePAM no"),
  }),
  prepare: () => [["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "key"]],
});

export const vsftpd = ({ certificate, clients }: { certificate?: Certificate; clients?: number } = {}): Plan => ({
  program: "vsftpd",
  args: ({ folder }) => [`${folder}/vsftpd.conf`],
  unprivileged: true,
  files: ({ folder, port }) => ({
    "empty/.keep": "",
    "vsftpd.conf": lines(
      "listen=YES",
      "listen_address=127.0.0.1",
      `listen_port=${port}`,
      "run_as_launching_user=YES",
      "background=NO",
      "anonymous_enable=YES",
      "seccomp_sandbox=NO",
      `secure_chroot_dir=${folder}/empty`,
      clients !== undefined && `max_clients=${clients}`,
      certificate && `ssl_enable=YES\nrsa_cert_file=${certificate.cert}\nrsa_private_key_file=${certificate.key}`,
    ),
  }),
});

/** Dovecot with IMAP or POP3 on its port, in plain text with STARTTLS or with TLS from the start. */
export const dovecot = (
  protocol: "imap" | "pop3",
  { certificate, isDirect = false }: { certificate?: Certificate; isDirect?: boolean } = {},
): Plan => {
  const listener = (name: string, port: number) => `inet_listener ${name} {\n address = 127.0.0.1\n port = ${port}\n}`;
  return {
    program: "dovecot",
    args: ({ folder }) => ["-F", "-c", `${folder}/dovecot.conf`],
    unprivileged: true,
    files: ({ folder, port }) => ({
      "dovecot.conf": lines(
        `base_dir = ${folder}/run`,
        "log_path = /dev/stderr",
        `protocols = ${protocol}`,
        ...["default_internal_user", "default_login_user"].map((name) => `${name} = nobody`),
        "default_internal_group = nogroup",
        certificate ? `ssl = yes\nssl_cert = <${certificate.cert}\nssl_key = <${certificate.key}` : "ssl = no",
        "passdb {\n driver = static\n args = nopassword=y\n}",
        `userdb {\n driver = static\n args = uid=65534 gid=65534 home=${folder}\n}`,
        `service ${protocol}-login {`,
        " chroot =",
        listener(protocol, isDirect ? 0 : port),
        listener(`${protocol}s`, isDirect ? port : 0),
        "}",
        "service anvil {\n chroot =\n}",
        "service auth {\n user = nobody\n}",
      ),
    }),
  };
};

const QUEUES = ["public", "private", "pid", "maildrop", "active", "incoming", "corrupt", "defer", "deferred"];

/** The services of Postfix between SMTP and a mailbox. */
const DELIVERY = [
  "cleanup unix n - n - 0 cleanup",
  "qmgr unix n - n 300 1 qmgr",
  "rewrite unix - - n - - trivial-rewrite",
  ...["bounce", "defer", "trace"].map((name) => `${name} unix - - n - 0 bounce`),
  "virtual unix - n n - - virtual",
];

type PostfixOptions = {
  certificate?: Certificate;
  isDirect?: boolean;
  /** Puts the mail to every address at this domain as files into the folder `mail/new`. Other mail is refused. */
  delivers?: string;
  /** Refuses the addresses that begin with this. */
  refuses?: string;
};

/** Postfix with SMTP alone, unless it delivers. It needs root, as nothing else here does. */
export const postfix = ({ certificate, isDirect, delivers, refuses }: PostfixOptions = {}): Plan => ({
  program: "/usr/lib/postfix/sbin/master",
  args: ({ folder }) => ["-d", "-c", `${folder}/etc`],
  files: ({ folder, port }) => ({
    "etc/main.cf": lines(
      "compatibility_level = 3.6",
      `queue_directory = ${folder}/queue`,
      `data_directory = ${folder}/data`,
      "inet_interfaces = 127.0.0.1",
      "myhostname = mail.example",
      "smtpd_client_connection_count_limit = 0",
      ...["alias_maps", "alias_database", "local_recipient_maps"].map((name) => `${name} =`),
      certificate && `smtpd_tls_security_level = may\nsmtpd_tls_chain_files = ${certificate.key} ${certificate.cert}`,
      isDirect && "smtpd_tls_wrappermode = yes",
      delivers &&
        `virtual_mailbox_domains = ${delivers}\nvirtual_mailbox_base = ${folder}\nvirtual_mailbox_maps = static:mail/`,
      delivers && "virtual_uid_maps = static:65534\nvirtual_gid_maps = static:65534\nvirtual_minimum_uid = 1000",
      refuses && `smtpd_recipient_restrictions = check_recipient_access regexp:${folder}/etc/refused`,
      delivers && "mydestination =\nmynetworks =\nsmtpd_relay_restrictions = reject_unauth_destination",
    ),
    "etc/master.cf": lines(
      `${port} inet n - n - - smtpd`,
      "anvil unix - - n - 1 anvil",
      "tlsmgr unix - - n 1000? 1 tlsmgr",
      "postlog unix-dgram n - n - 1 postlogd",
      ...(delivers ? DELIVERY : []),
    ),
    ...(refuses && { "etc/refused": `/^${refuses}/ 550 5.1.1 This mailbox does not exist\n` }),
    ...Object.fromEntries(QUEUES.map((name) => [`queue/${name}/.keep`, ""])),
    "data/.keep": "",
    "mail/.keep": "",
  }),
  prepare: ({ folder }) => [
    ["chmod", "755", folder],
    ["chown", "-R", "65534:65534", `${folder}/mail`],
    ["chown", "-R", "postfix", `${folder}/data`, ...QUEUES.map((name) => `${folder}/queue/${name}`)],
    ["chown", "root", `${folder}/queue`, `${folder}/queue/pid`],
  ],
});

/** A server of the folder beside this one, run by Bun. */
const own = (file: string, words: string[], certificate?: Certificate): Plan => ({
  program: process.execPath,
  args: ({ port }) => [
    join(import.meta.dir, "../servers", file),
    `${port}`,
    ...words,
    ...(certificate ? [certificate.cert, certificate.key] : []),
  ],
});

export const webSocketServer = (certificate?: Certificate): Plan => own("websocket.ts", [], certificate);

/** A gRPC server with the health service of its library, or without. */
export const grpcServer = (health: "with" | "without", certificate?: Certificate): Plan =>
  own("grpc.ts", [health], certificate);
