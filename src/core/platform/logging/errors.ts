import { defineErrors } from '../errors/index.ts'

export const loggingErrors = defineErrors({
  log_not_found: {
    kind: 'not_found',
    title: 'Log not found',
    doc: 'The server has no log of this name; a rotation may have removed it.',
  },
})
