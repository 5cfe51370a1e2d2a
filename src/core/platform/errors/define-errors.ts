import { AppError, type AppErrorOptions, type ErrorKind } from './app-error.ts'

/** One row of a domain's error table. `doc` is printed in docs/errors.md. */
export type ErrorDefinition = {
  kind: ErrorKind
  title: string
  doc: string
  /** The code in responses. Default: the key of the row. Given if the code is no identifier (for example `auth.required`). */
  code?: string
}

/** Properties of one thrown error, which add to its definition or replace parts of it. */
export type ErrorOccurrence = Partial<
  Pick<AppErrorOptions, 'title' | 'message' | 'details' | 'hint' | 'retryAfterSeconds' | 'cause'>
>

export type ErrorFactory = ((occurrence?: ErrorOccurrence) => AppError) & {
  readonly definition: Required<ErrorDefinition>
}

/**
 * Turns a domain's error table into factories, so that each code is defined once and can be searched for:
 * `throw libraryErrors.library_not_found()`. Tests compare `.definition` with docs/errors.md.
 */
export function defineErrors<Key extends string>(table: Record<Key, ErrorDefinition>): Record<Key, ErrorFactory> {
  const factories = {} as Record<Key, ErrorFactory>
  for (const key of Object.keys(table) as Key[]) {
    const definition = { ...table[key], code: table[key].code ?? key }
    const create = (occurrence: ErrorOccurrence = {}): AppError =>
      new AppError({ kind: definition.kind, code: definition.code, title: definition.title, ...occurrence })
    factories[key] = Object.assign(create, { definition })
  }
  return factories
}
