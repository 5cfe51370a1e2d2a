import { syncBoxSets } from '../../collections/index.ts'
import { invalidateExtras } from '../../extras/index.ts'
import { AppError, describeError } from '../../platform/errors/index.ts'
import { scanThemeMedia } from '../../theme-media/index.ts'
import { runMarkerAnalysis, runTrickplayAnalysis } from '../analyse/analyse-library.ts'
import { backfillSource } from '../backfill/backfill-source.ts'
import { clearArtwork, clearMetadata } from '../metadata/clear-metadata.ts'
import { deleteAllItems } from '../reconcile/delete-all-items.ts'
import { scanErrors } from '../errors.ts'
import type { JobRunner, JobRun } from '../job/job-run.ts'
import { cleanUpLibraryTables } from '../store/library-tables.ts'
import { matchMetadata, refreshMetadata } from '../metadata/match-metadata.ts'
import { mediaKindOfLibrary } from '../media-kinds/index.ts'
import { pruneLibrary } from '../reconcile/prune-library.ts'
import { runScanPhases } from './run-scan-phases.ts'
import type { ScanJobType } from '../job/scan-job.ts'

const walk: JobRunner = async (run) => {
  const end = await runScanPhases({ ...run, kind: mediaKindOfLibrary(run.library.type) })
  await invalidateExtras(run.services, { libraryId: run.library.id })
  // After a failed scan a missing theme may only be temporarily unavailable.
  if (typeof end !== 'string') await findTheme(run)
  return end
}

/** The runner of each job type. */
const RUNNERS: Readonly<Partial<Record<ScanJobType, JobRunner>>> = {
  scan: walk,
  rescan: walk,
  prune: pruneLibrary,
  source_backfill: backfillSource,
  metadata: withBoxSets(matchMetadata),
  metadata_refresh: withBoxSets(refreshMetadata),
  clear_metadata: clearMetadata,
  clear_artwork: clearArtwork,
  delete_all: deleteAllItems,
  markers: runMarkerAnalysis,
  trickplay: runTrickplayAnalysis,
}

/** Box sets are known only after the providers have been queried. */
function withBoxSets(runner: JobRunner): JobRunner {
  return async (run) => {
    const end = await runner(run)
    await syncBoxSets(run.services, run.library.id)
    await invalidateExtras(run.services, { libraryId: run.library.id })
    return end
  }
}

/** Looks for theme media. Errors do not fail the scan, because the scan itself has already reported an unreadable disk. */
async function findTheme({ services, library, signal }: JobRun): Promise<void> {
  try {
    await scanThemeMedia(services, { libraryId: library.id }, signal)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    services.log.warning({ reason: describeError(error) }, 'looking for theme media failed')
  }
}

/**
 * Returns the runner of a job type.
 * @throws AppError `job_type_unknown` for a row of a later release
 */
export function jobRunnerForType(type: ScanJobType): JobRunner {
  const runner = RUNNERS[type]
  if (runner === undefined) throw scanErrors.job_type_unknown({ message: `this release runs no jobs of type ${type}` })
  return async (run) => {
    const end = await runner(run)
    await cleanUpLibraryTables(run)
    return end
  }
}
