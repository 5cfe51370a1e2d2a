import type { DoctorCheck } from '../doctor-context.ts'
import { errorResult, problemsOrOk } from '../finding.ts'
import { createExtension, selectExtensions } from '../queries.ts'

const NEEDED = ['pg_trgm', 'unaccent'] as const

/** The owner of a database may create both (trusted extensions of PostgreSQL). psql is no part of the embedded database. */
export const extensionsCheck: DoctorCheck = {
  id: 'extensions',
  async runOnTables({ phlix }, { db }) {
    const present = await selectExtensions(db)
    const missing = NEEDED.filter((name) => !present.includes(name))
    const fix = phlix('doctor --only extensions --fix')
    return problemsOrOk(
      missing.map((name) =>
        errorResult(`the extension ${name} is missing`, fix, async () => createExtension(db, name)),
      ),
      NEEDED.join(', '),
    )
  },
}
