/** Who may read a status page: everyone, people with its password, or members of its team. */
export const PAGE_ACCESS = ["public", "password", "members"] as const;
export type PageAccess = (typeof PAGE_ACCESS)[number];

/** Characters of the password of a page. */
export const PAGE_PASSWORD = { min: 8, max: 200 } as const;
