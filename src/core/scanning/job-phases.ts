import { syncBoxSets } from '../collections/index.ts'
import { invalidateExtras } from '../extras/index.ts'
import { AppError, describeError } from '../platform/errors/index.ts'
import { scanThemeMedia } from '../theme-media/index.ts'
import { backfillSource } from './backfill-source.ts'
import { clearArtwork, clearMetadata } from './clear-metadata.ts'
import { deleteAllItems } from './delete-all-items.ts'
import { scanErrors } from './errors.ts'
import type { JobPhases, JobRun } from './job-run.ts'
import { tidyLibraryTables } from './library-tables.ts'
import { matchMetadata, refreshMetadata } from './match-metadata.ts'
import { mediaKindOfLibrary } from './media-kinds/index.ts'
import { pruneLibrary } from './prune-library.ts'
import { runScan } from './run-scan.ts'
import type { ScanJobType } from './scan-job.ts'

const walk: JobPhases = async (run) => {
  const end = await runScan({ ...run, kind: mediaKindOfLibrary(run.library.type) })
  await invalidateExtras(run.services, { libraryId: run.library.id })
  // A theme that a failed scan would not find may only be away.
  if (typeof end !== 'string') await findTheme(run)
  return end
}

/** What a job of each type does. A new type of job: its line here, and nothing else changes around it. */
const PHASES: Readonly<Partial<Record<ScanJobType, JobPhases>>> = {
  scan: walk,
  rescan: walk,
  prune: pruneLibrary,
  source_backfill: backfillSource,
  metadata: thenGather(matchMetadata),
  metadata_refresh: thenGather(refreshMetadata),
  clear_metadata: clearMetadata,
  clear_artwork: clearArtwork,
  delete_all: deleteAllItems,
}

/** Which films belong together is known when providers were asked. */
function thenGather(phases: JobPhases): JobPhases {
  return async (run) => {
    const end = await phases(run)
    await syncBoxSets(run.services, run.library.id)
    await invalidateExtras(run.services, { libraryId: run.library.id })
    return end
  }
}

/** A theme is no reason for a scan to fail: a disk that no longer answers has said so already. */
async function findTheme({ services, library, signal }: JobRun): Promise<void> {
  try {
    await scanThemeMedia(services, { libraryId: library.id }, signal)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    services.log.warning({ reason: describeError(error) }, 'looking for theme media failed')
  }
}

/**
 * What a job of this type does.
 * @throws AppError `job_type_unknown` for a row of a later release
 */
export function phasesOfJob(type: ScanJobType): JobPhases {
  const phases = PHASES[type]
  if (phases === undefined) throw scanErrors.job_type_unknown({ message: `this release runs no jobs of type ${type}` })
  return async (run) => {
    const end = await phases(run)
    await tidyLibraryTables(run)
    return end
  }
}
