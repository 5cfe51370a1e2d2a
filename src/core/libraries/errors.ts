import { defineErrors } from '../platform/errors/index.ts'

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
  invalid_options: {
    kind: 'invalid',
    title: 'Invalid library options',
    doc: '`options` or `autoCollections` does not have its documented form, or the name is too long.',
  },
})
