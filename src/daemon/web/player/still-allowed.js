import { requestJson } from '../api.js'

/** Why an item is not played at this time; the message of the server says when it is again. */
export const OUTSIDE_HOURS = 'AccessSchedule'

/**
 * Asks the server whether the viewer may still see and play an item.
 * @returns {Promise<string | undefined>} why not, in words
 */
export async function reasonToStop(id) {
  try {
    await requestJson(`/api/v1/media/${id}/playback-info`)
    return undefined
  } catch (error) {
    if (error.code === OUTSIDE_HOURS) return error.message
    // Other failures do not say that it is forbidden.
    if (error.code !== 'media_item_not_found') return undefined
    return 'What you may see has changed. This title is not among it any more.'
  }
}
