import { defineErrors } from '../platform/errors/index.ts'

export const preferenceErrors = defineErrors({
  invalid_settings: {
    kind: 'invalid',
    title: 'Settings are too large',
    doc: 'The settings of a user have more than 32,768 characters of JSON in total, or more than 32 levels.',
  },
})
