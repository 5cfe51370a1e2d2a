import type { Interceptor, QueryResultRow } from 'slonik'
import { SchemaValidationError } from 'slonik'

/**
 * Gives rows their names and checks them. slonik itself checks nothing at run time: without this, `sql.type(schema)` is a promise
 * that nobody keeps. Columns arrive as `created_at` and leave as `createdAt`; then the query's schema decides.
 */
export const rowInterceptor: Interceptor = {
  name: 'rows',
  transformRow({ resultParser }, query, row) {
    const named = withCamelNames(row)
    if (resultParser === undefined) return named
    const checked = resultParser['~standard'].validate(named)
    if (checked instanceof Promise) throw new TypeError('row schemas are synchronous')
    if (checked.issues !== undefined) throw new SchemaValidationError(query, named, checked.issues)
    return checked.value as QueryResultRow
  },
}

const camelNames = new Map<string, string>()

function withCamelNames(row: QueryResultRow): QueryResultRow {
  const named: Record<string, QueryResultRow[string]> = {}
  // Rows are plain: a list of their entries would be made and thrown away for each.
  for (const column in row) named[camelName(column)] = row[column] as QueryResultRow[string]
  return named
}

/** `created_at` → `createdAt`. The set of columns is small, so each is computed once. */
export function camelName(column: string): string {
  let name = camelNames.get(column)
  if (name === undefined) {
    name = column.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
    camelNames.set(column, name)
  }
  return name
}
