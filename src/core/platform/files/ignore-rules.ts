import ignore from 'ignore'

/** The patterns of one ignore file, tried from the last to the first. */
export type IgnoreRules = {
  /** @param path relative to the folder of the file, with `/`; a folder ends with `/` */
  ignores(path: string): boolean
}

/** The rules of a marker file that is empty or has no valid pattern. */
export const IGNORE_EVERYTHING_RULES: IgnoreRules = { ignores: () => true }

/** Limits of file systems. Longer names are not matched, so that the cost of a pattern is bounded. */
const MAX_SEGMENT = 255
const MAX_PATH = 4096
const MAX_LINES = 1000

/**
 * Parses `.ignore`, `.nomedia`, `.plexignore` or `.ndignore`: gitignore patterns, case-insensitive. An empty file ignores its whole folder.
 * Invalid lines are skipped; without any valid line everything is ignored. Unlike git, `!file` includes a file whose folder is ignored.
 * Test cases follow Jellyfin's DotIgnoreIgnoreRule.
 */
export function parseIgnoreRules(text: string): IgnoreRules {
  const lines = text.split(/\r?\n/, MAX_LINES).filter((line) => line.trim() !== '' && !line.startsWith('#'))
  const rules = lines.filter(isPattern).map(ruleOf).toReversed()
  if (rules.length === 0) return IGNORE_EVERYTHING_RULES
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

/** Whether a line is a valid pattern: a backslash only before a special character, and few enough stars to be matched in bounded time. */
function isPattern(line: string): boolean {
  const isEscaped = !/\\(?![\\ #!*?[\]])/.test(line)
  const hasFewStars = line.split('/').every((segment) => (segment.match(/\*+/g) ?? []).length <= 3)
  return isEscaped && hasFewStars && line.length <= MAX_PATH
}
