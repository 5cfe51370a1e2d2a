import { requestJson } from '../api.js'

/** Why an item is not played at this time; the message of the server says when it is again. */
export const OUTSIDE_HOURS = 'AccessSchedule'

/**
 * Asks the server whether the viewer may still see and play an item, and within which limits.
 * @returns {Promise<{facts?: object, reason?: string}>} its playback information, or why it may not be played any more, in words; neither if the
 * server does not say it
 */
export async function askWhetherAllowed(id) {
  try {
    return { facts: await requestJson(`/api/v1/media/${id}/playback-info`) }
  } catch (error) {
    if (error.code === OUTSIDE_HOURS) return { reason: error.message }
    // Other failures do not say that it is forbidden.
    if (error.code !== 'media_item_not_found') return {}
    return { reason: 'What you may see has changed. This title is not among it any more.' }
  }
}
