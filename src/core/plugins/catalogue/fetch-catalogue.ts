import { AppError, describeError } from '../../platform/errors/index.ts'
import type { Outbound } from '../../platform/outbound/index.ts'
import { pluginErrors } from '../errors.ts'
import { parsePluginSource, readPluginSourceBytes } from '../install/read-source.ts'
import type { Catalogue } from './catalogue.ts'
import { readCatalogue } from './read-catalogue.ts'

const MAX_INDEX_BYTES = 2 * 1024 * 1024
/** Existing clients wait 15 s for the list of all catalogues. */
const INDEX_MILLISECONDS = 10_000

/**
 * Fetches an index file.
 * @throws AppError `plugin_catalogue_failed` with the reason, the signal's reason
 */
export async function fetchCatalogue(
  services: { outbound: Outbound },
  url: string,
  signal?: AbortSignal,
): Promise<Catalogue> {
  try {
    const limits = { maximumBytes: MAX_INDEX_BYTES, timeoutMilliseconds: INDEX_MILLISECONDS }
    return readCatalogue(await readPluginSourceBytes(services, parsePluginSource(url), { limits, signal }), { url })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const message = `${url} cannot be used: ${error.text ?? describeError(error)}`
    throw pluginErrors.plugin_catalogue_failed({ message, cause: error })
  }
}
