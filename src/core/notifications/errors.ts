import { defineErrors } from '../platform/errors/index.ts'

export const notificationErrors = defineErrors({
  channel_not_found: {
    kind: 'not_found',
    title: 'Channel not found',
    doc: 'No notification channel has this name or id.',
  },
  channel_exists: {
    kind: 'conflict',
    title: 'Channel exists',
    doc: 'Another notification channel has this name; names are compared without regard to case.',
  },
  invalid_channel: {
    kind: 'invalid',
    title: 'Invalid channel',
    doc: 'The name, the events or a setting of a notification channel is missing, unknown or invalid; `field` names it.',
  },
})
