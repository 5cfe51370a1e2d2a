import { defineErrors, type AppError, type ErrorDetails } from '../platform/errors/index.ts'

export const libraryErrors = defineErrors({
  library_not_found: {
    kind: 'not_found',
    title: 'Library not found',
    doc: 'No library has this id.',
  },
  missing_fields: {
    kind: 'invalid',
    title: 'Missing required fields: name, type, path',
    doc: 'A library needs a name, a type and at least one folder; `fields` names what is missing.',
  },
  invalid_type: {
    kind: 'invalid',
    title: 'Invalid library type',
    doc: 'The type is not one of `valid_types`.',
  },
  invalid_path: {
    kind: 'invalid',
    title: 'Invalid library path',
    doc: 'A folder of a library is not absolute, absent, not a directory, unreadable, or one that must not be a library.',
  },
  folder_not_found: {
    kind: 'not_found',
    title: 'Folder not found',
    doc: 'There is nothing at the path of a folder that was to be listed.',
  },
  folder_not_readable: {
    kind: 'denied',
    title: 'Folder cannot be listed',
    doc: 'The process may not list the folder, or it is one that is never shown: `/proc`, `/sys`, `/dev`, the data directory.',
  },
  folder_taken: {
    kind: 'conflict',
    title: 'Folder belongs to another library',
    doc: 'Another library, whose type reads the same kind of files, has this folder already; the message names it, `library_id` is its id.',
  },
  invalid_options: {
    kind: 'invalid',
    title: 'Invalid library options',
    doc: '`options` or `autoCollections` does not have its documented form, or the name is too long.',
  },
})

/** The error `invalid_path` with the reason as title, because some clients display only the title. */
export function refusedPath(reason: string, details: ErrorDetails = {}, cause?: unknown): AppError {
  return libraryErrors.invalid_path({ title: reason, message: reason, details, cause })
}
