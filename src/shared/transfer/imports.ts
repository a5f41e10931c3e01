/** The words of imports from other products: what became of an object, and why. Codes never change once released. */

/** What becomes of an object of a file. */
export const IMPORT_OUTCOMES = ["take", "change", "paused", "skip", "exists"] as const;
export type ImportOutcome = (typeof IMPORT_OUTCOMES)[number];

/** The parts of a file that objects belong to. */
export const IMPORT_PARTS = [
  "monitors",
  "channels",
  "policies",
  "notifications",
  "agents",
  "thresholds",
  "windows",
  "status_page",
  "pages",
  "incidents",
  "other",
] as const;
export type ImportPart = (typeof IMPORT_PARTS)[number];

/** Why an object is not taken as it is, in English; `{detail}` is a name, a value or a reason. */
export const IMPORT_NOTES = {
  kind_unsupported: "there is no kind of monitor here for {detail}",
  provider_unsupported: "there is no kind of channel here for {detail}",
  public_group: "it is the public group of xugou, where everybody could read your alerts",
  docker: "install the agent with --containers on that host: it reports the container {detail}",
  group_as_tag: "becomes the tag {detail} of its monitors",
  inverted: "it is up when the target fails, which its kind can't be here",
  auth_unsupported: "its sign-in with {detail} is not possible here",
  method_unsupported: "its method {detail} is not possible here",
  expression_unsupported: "its expression {detail} is not possible here",
  address_unreadable: "its address or connection string can't be read",
  private_target: "only administrators may check the private address {detail}",
  interval_changed: "its interval of {detail} s is out of bounds here",
  retries_changed: "its {detail} retries are more than are possible here",
  retry_pause_changed: "its retries after {detail} s come sooner here, so that they fit in the interval",
  statuses_shortened: "its list of status codes is shortened to {detail}",
  redirects_differ: "its limit of {detail} redirects is not kept",
  field_left_out: "{detail} is left out",
  query_left_out: "its query is not run, only the connection and the sign-in are checked",
  grpc_health: "its own method is not called; the health service is asked",
  conditions_left_out: "its conditions are left out",
  name_changed: "its name is changed to {detail}",
  tags_left_out: "some of its tags are left out",
  address_new: "it has a new ping URL, because the old one can't be kept",
  token_taken: "its ping URL is in use here, so it has a new one",
  template_left_out: "its own text of messages is not taken, the built-in one is used",
  payload_differs: "the receiver gets other JSON than before",
  secret_missing: "it is switched off until {detail} is entered",
  page_unpublished: "it is not published",
  page_kept: "you have saved a status page already, and it stays as it is",
  maintenance_unsupported: "its maintenance is not taken: create a maintenance window here",
  window_over: "it is over",
  window_inactive: "it is switched off",
  window_open: "it lasts until you end it, at most 7 days",
  schedule_unsupported: "its schedule is not possible here: {detail}",
  zone_unknown: "its time zone is that of its server, which the file does not say: it is in UTC",
  domain_expiry: "add a monitor of the kind domain for each domain whose expiry matters",
  slug_taken: "another heartbeat has its slug here: use the address with its id",
  components_fixed: "its components keep the status that they have now until you link monitors or servers to them",
  components_left_out: "a page has at most 500 components here, so {detail} of it are left out",
  page_address_new: "its address is in use here, so it has another one",
  object_unsupported: "there is nothing here for {detail}",
  policy_limit: "you can have no more policies, so its repeated messages are left out",
  rule_kept: "it has a notification rule already, and that stays as it is",
  session_required:
    "this API key can't create channels: use one with the scope channels, or sign in, and import the file again",
  too_many: "a file may have at most {detail} objects",
  quota: "your limit of {detail} is reached",
  duplicate: "another object of the file is equal to it",
  parent_left_out: "what it belongs to is left out",
  left_out: "you left it out",
  command_again: "it has not reported yet: importing it gives a new command for it",
  command_missing:
    "there is no command for it: your limit of enrollment tokens is reached, so import the file again once others report",
  command_session:
    "this API key can't create its command: use one with the scope enroll, or sign in, and import the file again",
  offline_rule: "servers that are offline are alerted by the notification rule for servers: choose a channel there",
  reset_day_unknown:
    "its traffic is counted from the first day of the month, because the source does not say from which day",
  location_differs: "it was checked from servers, and is checked from this hub now",
  warnings_left_out: "its incidents that are no downtime are left out: {detail}",
  history_unreadable: "its history can't be imported: {detail}",
  invalid: "it is not valid here: {detail}",
  differs: "it was changed at the source since it was imported; yours stays as it is",
  gone: "it does not exist at the source any more; yours stays",
} as const;
export type ImportNoteCode = keyof typeof IMPORT_NOTES;
export const IMPORT_NOTE_CODES = Object.keys(IMPORT_NOTES) as ImportNoteCode[];

/** Notes of objects that arrive paused, because they would otherwise check something else than before. */
export const PAUSING_NOTES: readonly ImportNoteCode[] = [
  "inverted",
  "auth_unsupported",
  "method_unsupported",
  "expression_unsupported",
  "private_target",
];

/** Bounds of an import. */
export const IMPORT_LIMITS = {
  /** Objects of one file. */
  items: 20_000,
  /** Bytes of a file that is no database. */
  text: 32 * 1024 * 1024,
  detail: 200,
} as const;
