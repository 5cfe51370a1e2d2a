import type { Interceptor, QueryResultRow } from 'slonik'
import { SchemaValidationError } from 'slonik'

/**
 * Creates an interceptor that renames the columns of rows from `created_at` to `createdAt` and validates the rows with the query's schema.
 * slonik itself validates nothing at run time, so that without this interceptor `sql.type(schema)` would be unchecked. The interceptor
 * keeps the names of all columns that it has renamed, which are few.
 */
export function createRowInterceptor(): Interceptor {
  const camelNames = new Map<string, string>()
  const camelName = (column: string): string => {
    let name = camelNames.get(column)
    if (name === undefined) {
      name = camelNameOf(column)
      camelNames.set(column, name)
    }
    return name
  }
  return {
    name: 'rows',
    transformRow({ resultParser }, query, row) {
      const named: Record<string, QueryResultRow[string]> = {}
      // Object.entries would allocate a list for each row.
      for (const column in row) named[camelName(column)] = row[column] as QueryResultRow[string]
      if (resultParser === undefined) return named
      const checked = resultParser['~standard'].validate(named)
      if (checked instanceof Promise) throw new TypeError('row schemas are synchronous')
      if (checked.issues !== undefined) throw new SchemaValidationError(query, named, checked.issues)
      return checked.value as QueryResultRow
    },
  }
}

/** Converts `created_at` to `createdAt`. */
function camelNameOf(column: string): string {
  return column.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}
