import { AppError, type AppErrorOptions, type ErrorKind } from './app-error.ts'

/** One row of a domain's error table. `doc` is the sentence printed in docs/errors.md. */
export type ErrorDefinition = {
  kind: ErrorKind
  title: string
  doc: string
  /** The wire code where it is not the row's key (for example `auth.required`). */
  code?: string
}

/** What one occurrence may add to its definition. */
export type ErrorOccurrence = Partial<
  Pick<AppErrorOptions, 'title' | 'message' | 'details' | 'hint' | 'retryAfterSeconds' | 'cause'>
>

export type ErrorFactory = ((occurrence?: ErrorOccurrence) => AppError) & {
  readonly definition: Required<ErrorDefinition>
}

/**
 * Turns a domain's table of errors into factories, so that each code is written down once and greppable.
 * `throw libraryErrors.library_not_found()`; tests read `.definition` to compare with docs/errors.md.
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
