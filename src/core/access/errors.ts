import { defineErrors } from '../platform/errors/index.ts'

export const accessErrors = defineErrors({
  invalid_access: {
    kind: 'invalid',
    title: 'Invalid access limits',
    doc: 'A library is unknown, an age is not between 0 and 21, a content rating is not known, or a text is no tag.',
  },
  administrator_not_limited: {
    kind: 'conflict',
    title: 'Administrators cannot be limited',
    doc: 'An administrator sees everything: take the right of an administrator first. A limited account does not become an administrator before its limits are removed.',
  },
})
