/** `skipped`: what the check needs is missing, for example the database; another finding has the cause. */
export type FindingLevel = 'ok' | 'skipped' | 'warning' | 'error'

/** One result of a check. */
export type Finding = {
  /** Name of the check. */
  id: string
  level: FindingLevel
  message: string
  /** Shell command that removes the cause; null unless the level is `warning` or `error`. */
  fix: string | null
}

/** A result before the name of its check is added. */
export type CheckResult = Omit<Finding, 'id'> & {
  /** Removes the cause without a risk for data. Only for causes that `doctor --fix` handles. */
  mend?: () => Promise<void>
}

/** The result of a check that found no problem. */
export function okResult(message: string): CheckResult[] {
  return [{ level: 'ok', message, fix: null }]
}

/** A problem that does not stop the server. */
export function warningResult(message: string, fix: string, mend?: () => Promise<void>): CheckResult {
  return { level: 'warning', message, fix, ...(mend !== undefined && { mend }) }
}

/** A problem that stops the server or a part of it. */
export function errorResult(message: string, fix: string, mend?: () => Promise<void>): CheckResult {
  return { level: 'error', message, fix, ...(mend !== undefined && { mend }) }
}

/** The problems, or the message of a check that found none. */
export function problemsOrOk(problems: readonly CheckResult[], message: string): CheckResult[] {
  return problems.length === 0 ? okResult(message) : [...problems]
}

/** Whether a finding needs the attention of an administrator. */
export function isProblem({ level }: Pick<Finding, 'level'>): boolean {
  return level === 'warning' || level === 'error'
}
