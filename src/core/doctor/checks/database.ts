import type { DoctorCheck, DoctorContext } from '../doctor-context.ts'
import { errorResult, okResult, warningResult } from '../finding.ts'
import { selectServerFacts } from '../queries.ts'
import { shellQuote } from '../shell-quote.ts'

/** Reports the problem of the database once; the checks that need it are skipped then. */
export const databaseCheck: DoctorCheck = {
  id: 'database',
  async run(context) {
    const { database } = context
    if ('reason' in database) {
      return [
        database.isMissing
          ? warningResult(database.reason, context.phlix('migrate'))
          : errorResult(`the database cannot be used: ${database.reason}`, startCommand(context)),
      ]
    }
    const { version, encoding } = await selectServerFacts(database.db)
    if (encoding !== 'UTF8') {
      const command = `createdb --encoding UTF8 --template template0 ${shellQuote(context.config.options['database.name'])}_utf8`
      return [errorResult(`the encoding of the database is ${encoding}, not UTF8`, command)]
    }
    return okResult(`PostgreSQL ${version}, ${encoding}`)
  },
}

function startCommand({ config }: DoctorContext): string {
  return config.options['database.host'] === undefined ? 'systemctl restart phlix' : 'systemctl restart postgresql'
}
