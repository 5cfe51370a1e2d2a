import * as Flags from '@oclif/core/flags'
import type { PrunePreview, ScanJob } from '../../core/scanning/index.ts'
import type { Library } from '../../core/libraries/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { commandErrors } from '../_support/errors.ts'
import { EXIT, JOB_EXITS } from '../_support/exit-codes.ts'
import { findLibrary } from '../_support/arguments/find-library.ts'
import { requestScan, followJob } from '../_support/progress/follow-scan.ts'
import { libraryArgument, timeoutFlag } from '../_support/arguments/library-argument.ts'
import { replaceControlCharacters } from '../_support/output/table.ts'
import { pluralize } from '../../core/platform/errors/index.ts'

type Pruned = { library: Library; preview: PrunePreview } | { library: Library; job: ScanJob }

export default class LibraryPrune extends BaseCommand {
  static override summary = 'Remove the items whose file no longer exists.'
  static override description =
    'Checks the path of every item. It does not look for new files, and a moved file counts as missing; a rescan ' +
    'recognises moved files. As in a rescan, nothing is removed while a folder is missing, or if a large part of ' +
    'the library is missing at once. On a terminal the items are only listed unless --yes is given.'
  static override examples = [
    '<%= config.bin %> library:prune Films --dry-run',
    '<%= config.bin %> library:prune Films --yes --json',
  ]
  static override args = { library: libraryArgument }
  static override flags = {
    'dry-run': Flags.boolean({
      char: 'n',
      summary: 'Only list the items that would be removed; the default on a terminal.',
    }),
    yes: Flags.boolean({ char: 'y', summary: 'Remove the items; needed on a terminal.' }),
    force: Flags.boolean({
      summary:
        'Remove items even if a folder may be unmounted, many files are missing, or another job is queued or running.',
    }),
    timeout: timeoutFlag,
  }
  static override exitCodes = [...JOB_EXITS, EXIT.io]

  async run(): Promise<object> {
    const { args, flags } = await this.parse(LibraryPrune)
    const isDryRun = flags['dry-run'] || (process.stdin.isTTY && !flags.yes)
    const pruned = await this.withMediaServices(
      async (services, { signal }): Promise<Pruned> => {
        const library = await findLibrary(services, args.library)
        const { force, timeout: timeoutSeconds } = flags
        if (isDryRun) {
          const { previewPrune } = await import('../../core/scanning/index.ts')
          return { library, preview: await previewPrune(services, { libraryId: library.id, force }, signal) }
        }
        const queued = await requestScan(services, { library, type: 'prune', force })
        const progress = await this.createProgress(`Pruning "${library.name}"`)
        return { library, job: await followJob(services, queued, { signal, progress, timeoutSeconds }) }
      },
      { isSelfEnding: true },
    )
    return 'job' in pruned ? this.tellRemoved(pruned) : this.tellPreview(pruned)
  }

  private tellRemoved({ library, job }: { library: Library; job: ScanJob }): object {
    return this.finish({
      result: {
        library_id: library.id,
        dry_run: false,
        job_id: job.id,
        known: job.itemsFound,
        removed: job.itemsRemoved,
        gone: [],
        refusal: null,
      },
      text: `Pruned "${replaceControlCharacters(library.name)}": ${job.itemsRemoved} of ${pluralize(job.itemsFound, 'item')} removed`,
    })
  }

  private tellPreview({ library, preview }: { library: Library; preview: PrunePreview }): object {
    const { gone, known, refusal, isRootAway } = preview
    if (isRootAway) throw commandErrors.scan_root_unavailable({ message: refusal })
    if (refusal !== undefined) this.warn(refusal)
    const lines = gone.map(({ path }) => replaceControlCharacters(path))
    return this.finish({
      result: {
        library_id: library.id,
        dry_run: true,
        job_id: null,
        known,
        removed: 0,
        gone: gone.map(({ id, name, path }) => ({ id, name, path })),
        refusal: refusal ?? null,
      },
      text: [
        ...lines,
        `${gone.length} of ${pluralize(known, 'item')} would be removed from "${replaceControlCharacters(library.name)}"`,
      ].join('\n'),
    })
  }
}
