import type { Interceptor, QueryResultRow } from 'slonik'
import { SchemaValidationError } from 'slonik'

/**
 * Renames the columns of rows from `created_at` to `createdAt` and validates the rows with the query's schema. slonik itself validates
 * nothing at run time, so that without this interceptor `sql.type(schema)` would be unchecked.
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
  // Object.entries would allocate a list for each row.
  for (const column in row) named[camelName(column)] = row[column] as QueryResultRow[string]
  return named
}

/** Converts `created_at` to `createdAt`. The set of column names is small, so the results are cached. */
export function camelName(column: string): string {
  let name = camelNames.get(column)
  if (name === undefined) {
    name = column.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
    camelNames.set(column, name)
  }
  return name
}
