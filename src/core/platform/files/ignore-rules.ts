import ignore from 'ignore'

/** Patterns of one ignore file, tried from the last to the first. */
export type IgnoreRules = {
  /** @param path relative to the folder of the file, with `/`; a folder ends with `/` */
  ignores(path: string): boolean
}

/** What an empty file says, or one that holds nothing but what is no pattern. */
export const IGNORES_EVERYTHING: IgnoreRules = { ignores: () => true }

/** No file system has longer names; patterns are matched against such only, so that none takes long. */
const MAX_SEGMENT = 255
const MAX_PATH = 4096
const MAX_LINES = 1000

/**
 * Reads `.ignore`, `.nomedia`, `.plexignore` or `.ndignore`: patterns as in a gitignore file, without regard to case. An empty
 * file ignores its whole folder. Lines that are no pattern are passed over; when all are such, everything is ignored. Unlike
 * git, `!file` brings back a file whose folder is ignored. Source: design, scanning 2; rows of Jellyfin's DotIgnoreIgnoreRule.
 */
export function readIgnoreRules(text: string): IgnoreRules {
  const lines = text.split(/\r?\n/, MAX_LINES).filter((line) => line.trim() !== '' && !line.startsWith('#'))
  const rules = lines.filter(isPattern).map(ruleOf).toReversed()
  if (rules.length === 0) return IGNORES_EVERYTHING
  return {
    ignores(path) {
      const relative = path.replace(/^\/+/, '').slice(0, MAX_PATH)
      if (relative === '' || !ignore.isPathValid(relative)) return false
      if (relative.split('/').some((segment) => segment.length > MAX_SEGMENT)) return false
      return rules.find(({ matches }) => matches(relative))?.isIgnoring ?? false
    },
  }
}

type Rule = { matches: (path: string) => boolean; isIgnoring: boolean }

function ruleOf(line: string): Rule {
  const isIgnoring = !line.startsWith('!')
  const matcher = ignore({ ignorecase: true }).add(isIgnoring ? line : line.slice(1))
  return { matches: (path) => matcher.ignores(path), isIgnoring }
}

/**
 * Whether a line can be a pattern: a backslash only before what it takes the meaning from, no sign of formatted text, and no
 * more stars than can be tried in time.
 */
function isPattern(line: string): boolean {
  const isEscaped = !/\\(?![\\ #!*?[\]])/.test(line)
  const hasFewStars = line.split('/').every((segment) => (segment.match(/\*+/g) ?? []).length <= 3)
  return isEscaped && hasFewStars && line.length <= MAX_PATH
}
