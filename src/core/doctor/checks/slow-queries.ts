import type { DoctorCheck, DoctorContext } from '../doctor-context.ts'
import { problemsOrOk, warningResult } from '../finding.ts'
import { selectSlowStatements } from '../queries.ts'
import { sqlCommand } from '../sql-command.ts'

export const slowQueriesCheck: DoctorCheck = {
  id: 'slow-queries',
  async runOnTables(context, { db, connectionUri }) {
    const slow = await selectSlowStatements(db, context.slowStatementSeconds)
    return problemsOrOk(
      slow.map(({ pid, seconds, application }) =>
        warningResult(
          `a statement${application === '' ? '' : ` of ${application}`} has been running for ${Math.round(seconds)} s (process ${pid})`,
          cancelCommand(context, connectionUri, pid),
        ),
      ),
      `no statement runs longer than ${context.slowStatementSeconds} s`,
    )
  },
}

/** The processes of the embedded database are local, and psql is not part of it. SIGINT cancels the statement of a server process. */
function cancelCommand({ config }: DoctorContext, connectionUri: string, pid: number): string {
  const isLocal = config.options['database.host']?.startsWith('/') ?? true
  return isLocal ? `kill -INT ${pid}` : sqlCommand(connectionUri, `select pg_cancel_backend(${pid})`)
}
