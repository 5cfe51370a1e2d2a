import { Semaphore, withTimeLimit } from '../platform/concurrency/index.ts'
import { describeError } from '../platform/errors/index.ts'
import type { DoctorCheck, DoctorContext } from './doctor-context.ts'
import { warningResult, type CheckResult, type Finding } from './finding.ts'

const CONCURRENCY = 4

export type ChecksOutcome = { findings: Finding[]; mended: string[] }

export type RunChecksInput = {
  checks: readonly DoctorCheck[]
  /** Time limit of one check. */
  limitSeconds: number
  /** Removes the causes that are safe to remove, and runs the checks concerned again. */
  isMending: boolean
}

/**
 * Runs the checks, four at a time. A check that fails or takes too long is a finding itself.
 * @returns the findings in the order of the checks, and the names of the checks whose findings were mended
 */
export async function runChecks(context: DoctorContext, input: RunChecksInput): Promise<ChecksOutcome> {
  const slots = new Semaphore({ permits: CONCURRENCY })
  const mended: string[] = []
  const results = await Promise.all(
    input.checks.map((check) =>
      slots.run(async () => {
        const first = await runLimited(context, check, input.limitSeconds)
        const mends = input.isMending ? first.flatMap(({ mend }) => mend ?? []) : []
        if (mends.length === 0) return withId(check, first)
        const failures = await mendAll(context, check, mends)
        mended.push(check.id)
        return withId(check, [...(await runLimited(context, check, input.limitSeconds)), ...failures])
      }),
    ),
  )
  return { findings: results.flat(), mended }
}

function withId({ id }: DoctorCheck, results: readonly CheckResult[]): Finding[] {
  return results.map(({ level, message, fix }) => ({ id, level, message, fix }))
}

async function runLimited(context: DoctorContext, check: DoctorCheck, limitSeconds: number): Promise<CheckResult[]> {
  const again = context.phlix(`doctor --only ${check.id} --time-limit ${limitSeconds * 12}`)
  try {
    return await withTimeLimit(runCheck(context, check), {
      milliseconds: limitSeconds * 1000,
      onTimeout: () => [warningResult(`the check did not end within ${limitSeconds} s`, again)],
    })
  } catch (error) {
    context.log.debug({ check: check.id, error }, 'a check failed')
    return [warningResult(`the check failed: ${describeError(error)}`, again)]
  }
}

async function runCheck(context: DoctorContext, check: DoctorCheck): Promise<CheckResult[]> {
  if ('run' in check) return check.run(context)
  const { database } = context
  if ('reason' in database) return [{ level: 'skipped', message: 'needs the database', fix: null }]
  if (!database.hasCurrentSchema) return [{ level: 'skipped', message: 'needs the current schema', fix: null }]
  return check.runOnTables(context, database)
}

async function mendAll(
  { phlix }: DoctorContext,
  { id }: DoctorCheck,
  mends: readonly (() => Promise<void>)[],
): Promise<CheckResult[]> {
  const failures: CheckResult[] = []
  for (const mend of mends) {
    try {
      await mend()
    } catch (error) {
      failures.push(warningResult(`mending failed: ${describeError(error)}`, phlix(`doctor --only ${id} --fix`)))
    }
  }
  return failures
}
