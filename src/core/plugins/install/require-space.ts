import type { Config } from '../../platform/config/index.ts'
import { freeSpaceBytes } from '../../platform/files/index.ts'
import { maximumUnpackedBytes } from '../archive/archive-limits.ts'
import { pluginErrors } from '../errors.ts'

const MEBIBYTE = 1024 * 1024

/**
 * Checks that an archive can be unpacked in the data directory without using the disk space that must stay free.
 * @param archiveBytes size of the archive
 * @throws AppError `plugin_no_space`
 */
export async function requireSpace(
  { dataDirectory, options }: Pick<Config, 'dataDirectory' | 'options'>,
  archiveBytes: number,
): Promise<void> {
  const needed = maximumUnpackedBytes(archiveBytes) + options['hls.min_disk_space_bytes']
  const free = await freeSpaceBytes(dataDirectory)
  if (free >= needed) return
  const [freeText, neededText] = [free, needed].map((bytes) => Math.ceil(bytes / MEBIBYTE))
  throw pluginErrors.plugin_no_space({
    message: `The data directory has ${freeText} MiB free; ${neededText} MiB are needed to unpack the plugin.`,
  })
}
