/** Checks whether a tag can be published, and reads the notes of its version. */

/** The section of a version in the changelog: what follows the version in its heading, and its text. */
const sectionOf = (changelog: string, version: string): { heading: string; text: string } | null => {
  const [, ...sections] = changelog.split(/^## /m);
  const found = sections.find((section) => section.split(/\s/, 1)[0] === version);
  if (found === undefined) return null;
  const [title = "", ...lines] = found.split("\n");
  return { heading: title.slice(version.length).trim(), text: lines.join("\n").trim() };
};

/**
 * The notes of a version, from the changelog.
 * @throws when it has no section
 */
export const releaseNotes = (changelog: string, version: string): string => {
  const section = sectionOf(changelog, version);
  if (!section?.text) throw new Error(`CHANGELOG.md says nothing about ${version}`);
  return `${section.text}\n`;
};

type Tagged = { version: string; repository: string; changelog: string };

/** @throws with what has to be mended before this tag can be published */
export const assertPublishable = (tag: string, { version, repository, changelog }: Tagged): void => {
  if (tag !== `v${version}`) throw new Error(`the tag ${tag} is not v${version}, the version in package.json`);
  if (!repository)
    throw new Error('package.json names no repository: add "repository" with the address of the project');
  releaseNotes(changelog, version);
  if (/not released/i.test(sectionOf(changelog, version)?.heading ?? ""))
    throw new Error(`CHANGELOG.md calls ${version} not released yet: put the day of the release into its heading`);
};

/** The name of the container image of a repository on GitHub; null for others, which push elsewhere. */
export const imageOf = (repository: string): string | null => {
  const [, path] = /^https:\/\/github\.com\/([\w.-]+\/[\w.-]+)$/.exec(repository) ?? [];
  return path ? `ghcr.io/${path.toLowerCase()}` : null;
};

/** A file of docs/deploy with the published image instead of a build. */
export const withImage = (compose: string, image: string): string =>
  compose.replace(/^ *build: .*\n/gm, "").replace(/^( *image: )wakeful$/gm, `$1${image}`);
