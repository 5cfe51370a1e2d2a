import { defineErrors } from '../platform/errors/index.ts'

export const playbackErrors = defineErrors({
  session_not_found: {
    kind: 'not_found',
    title: 'Session not found',
    doc: 'No playback session has this id, or it was ended.',
  },
  not_session_owner: {
    kind: 'forbidden',
    title: 'Forbidden',
    doc: 'The playback session belongs to another user.',
  },
})
