/** Roles of members of teams: each has the rights of those before it. */
export const TEAM_ROLES = ["viewer", "editor", "owner"] as const;
export type TeamRole = (typeof TEAM_ROLES)[number];

export const TEAM_LIMITS = {
  name: 64,
  members: 100,
  /** Invitations to one team that wait to be accepted. */
  invitations: 50,
  /** Teams of one user, the personal one among them. */
  teams: 200,
  /** Own channels of a member that get the alerts of one team. */
  ownChannels: 5,
} as const;

/** What links something with other things of its team. */
export const LINK_KINDS = ["channel", "policy", "dependency", "tag", "page", "rule"] as const;
export type LinkKind = (typeof LINK_KINDS)[number];

/** How long an invitation can be accepted, in hours. */
export const INVITATION_HOURS = 72;
