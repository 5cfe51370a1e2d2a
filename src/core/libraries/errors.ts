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
    doc: 'A library needs a name, a type and at least one folder; `fields` lists the missing ones.',
  },
  invalid_type: {
    kind: 'invalid',
    title: 'Invalid library type',
    doc: 'The type is not one of `valid_types`.',
  },
  invalid_path: {
    kind: 'invalid',
    title: 'Invalid library path',
    doc: 'A folder of a library is not an absolute path, does not exist, is not a directory, is unreadable, or must not be a library.',
  },
  folder_not_found: {
    kind: 'not_found',
    title: 'Folder not found',
    doc: 'The folder to list does not exist.',
  },
  folder_not_readable: {
    kind: 'denied',
    title: 'Folder cannot be listed',
    doc: 'The process has no permission to list the folder, or the folder is never shown: `/proc`, `/sys`, `/dev`, the data directory.',
  },
  folder_taken: {
    kind: 'conflict',
    title: 'Folder belongs to another library',
    doc: 'The folder belongs to another library with the same kind of files; the message has its name, `library_id` its id.',
  },
  invalid_options: {
    kind: 'invalid',
    title: 'Invalid library options',
    doc: '`options` or `autoCollections` does not have the documented form, or the name is too long.',
  },
})

/** The error `invalid_path` with the reason as title, because some clients display only the title. */
export function invalidPathError(
  reason: string,
  details: ErrorDetails = {},
  { message = reason, cause }: { message?: string; cause?: unknown } = {},
): AppError {
  return libraryErrors.invalid_path({ title: reason, message, details, cause })
}
