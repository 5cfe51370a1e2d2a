import { defineErrors } from '../errors/index.ts'

export const keyErrors = defineErrors({
  key_file_damaged: {
    kind: 'misconfigured',
    title: 'Damaged key file',
    doc: 'A file in `keys/` is too short to be the key that was written; without it old tokens and addresses cannot be checked.',
  },
})
