import { defineErrors } from '../platform/errors/index.ts'

export const userItemErrors = defineErrors({
  invalid_level: {
    kind: 'invalid',
    title: 'level must be an integer between -2 and 2',
    doc: 'The body of a like has no whole number as `level`. The reply has no `code`.',
  },
  like_level_out_of_range: {
    kind: 'invalid',
    title: 'like_level must be between -2 and 2 (inclusive)',
    doc: 'The `level` of a like is a whole number, but not one of -2 to 2.',
  },
})
