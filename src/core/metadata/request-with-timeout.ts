import { AppError } from '../platform/errors/index.ts'
import type { MetadataProviders } from './create-providers.ts'
import { metadataErrors } from './errors.ts'
import type { RequestOptions, SearchProvider } from './provider.ts'
import { SET_KEY_HINT } from './set-key-hint.ts'

/** Clients time out after 15 s. */
const TIMEOUT_MILLISECONDS = 12_000

/**
 * Sends a request to TMDB on behalf of a waiting client, with a timeout.
 * @throws AppError `metadata.tmdb_unconfigured`; `metadata.tmdb_unreachable`, also for a reply that is late or invalid
 */
export async function requestWithTimeout<Result>(
  { tmdb }: Pick<MetadataProviders, 'tmdb'>,
  request: (tmdb: SearchProvider, options: RequestOptions) => Promise<Result>,
): Promise<Result> {
  if (tmdb === undefined) throw metadataErrors.tmdb_unconfigured({ hint: SET_KEY_HINT })
  const signal = AbortSignal.timeout(TIMEOUT_MILLISECONDS)
  try {
    return await request(tmdb, { signal })
  } catch (error) {
    const isUnreadable = error instanceof AppError && error.code === 'metadata_reply_invalid'
    if (!isUnreadable && !signal.aborted) throw error
    throw metadataErrors.tmdb_unreachable({ message: 'TMDB did not send a usable reply in time', cause: error })
  }
}
