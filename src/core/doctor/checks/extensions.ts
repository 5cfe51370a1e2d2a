import type { Check } from '../doctor-context.ts'
import { error, problemsOr } from '../finding.ts'
import { selectExtensions } from '../queries.ts'
import { sqlCommand } from '../sql-command.ts'

const NEEDED = ['pg_trgm', 'unaccent'] as const

export const extensionsCheck: Check = {
  id: 'extensions',
  async runOnTables(_context, { db, connectionUri }) {
    const present = await selectExtensions(db)
    const missing = NEEDED.filter((name) => !present.includes(name))
    return problemsOr(
      missing.map((name) =>
        error(`the extension ${name} is missing`, sqlCommand(connectionUri, `create extension if not exists ${name}`)),
      ),
      NEEDED.join(', '),
    )
  },
}
