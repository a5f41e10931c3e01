/** Configuration files of the highly available PostgreSQL that docs/operations.md describes, with ports on loopback. */
export type Node = { name: string; port: number; api: number };

export type Ports = { etcd: number; peer: number; haproxy: number; pgbouncer: number; nodes: [Node, Node] };

export const PASSWORDS = {
  postgres: "postgres-password",
  replicator: "replicator-password",
  wakeful: "wakeful-password",
};

export const patroniYml = (folder: string, bin: string, { etcd }: Ports, { name, port, api }: Node): string => `
scope: wakeful
name: ${name}
etcd3:
  hosts: 127.0.0.1:${etcd}
restapi:
  listen: 127.0.0.1:${api}
  connect_address: 127.0.0.1:${api}
bootstrap:
  dcs:
    ttl: 20
    loop_wait: 5
    retry_timeout: 5
    synchronous_mode: true
    postgresql:
      use_pg_rewind: true
      parameters:
        max_connections: 100
  initdb:
    - encoding: UTF8
    - locale: C
    - data-checksums
  pg_hba:
    - host replication replicator 127.0.0.1/32 scram-sha-256
    - host all all 127.0.0.1/32 scram-sha-256
postgresql:
  listen: 127.0.0.1:${port}
  connect_address: 127.0.0.1:${port}
  data_dir: ${folder}/${name}
  bin_dir: ${bin}
  pgpass: ${folder}/${name}.pgpass
  authentication:
    superuser: { username: postgres, password: ${PASSWORDS.postgres} }
    replication: { username: replicator, password: ${PASSWORDS.replicator} }
  basebackup:
    checkpoint: fast
  parameters:
    unix_socket_directories: ""
    tcp_keepalives_idle: 60
`;

export const haproxyCfg = ({ haproxy, nodes }: Ports): string => `
global
    maxconn 500
defaults
    mode tcp
    retries 1
    timeout connect 2s
    timeout check 2s
    timeout client 1h
    timeout server 1h
listen primary
    bind 127.0.0.1:${haproxy}
    option httpchk OPTIONS /primary
    http-check expect status 200
    default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map(({ name, port, api }) => `    server ${name} 127.0.0.1:${port} check port ${api}`).join("\n")}
`;

export const pgbouncerIni = (folder: string, { haproxy, pgbouncer }: Ports): string => `
[databases]
wakeful = host=127.0.0.1 port=${haproxy} dbname=wakeful
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${pgbouncer}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${folder}/userlist.txt
pool_mode = transaction
default_pool_size = 40
server_login_retry = 1
`;

export const userlistTxt = `"wakeful" "${PASSWORDS.wakeful}"\n`;
