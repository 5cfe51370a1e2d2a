import type { Test } from 'tap'
import type { SigningServices } from '../../../src/core/services.ts'
import { testServices } from '../services.ts'

/** Services whose routes for subtitles are asked as often as all others: a refusal for too many requests says nothing about an item. */
export function unlimitedServices(t: Test): Promise<SigningServices> {
  const environment = { RATE_LIMIT_SUBTITLE_SEARCH_MAX: '100000', RATE_LIMIT_SUBTITLE_DOWNLOAD_MAX: '100000' }
  return testServices(t, { environment })
}
