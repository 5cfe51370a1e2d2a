import * as Flags from '@oclif/core/flags'
import type { LibraryContent } from '../../core/maintenance/index.ts'
import { libraryView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { confirmDeletion } from '../_support/arguments/confirm-deletion.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { findLibrary } from '../_support/arguments/find-library.ts'
import { libraryArgument } from '../_support/arguments/library-argument.ts'
import { replaceControlCharacters } from '../_support/output/table.ts'
import { pluralize } from '../../core/platform/errors/index.ts'

export default class LibraryDelete extends BaseCommand {
  static override summary =
    'Delete a library with its items and the data of users about them; media files are not changed.'
  static override description =
    'Favourites, ratings, watched marks and positions of all accounts are deleted with the items and cannot be ' +
    'restored. Jobs of the library are cancelled, including those that a server runs. --yes is required ' +
    'if there is no terminal.'
  static override examples = [
    '<%= config.bin %> library:delete Films --dry-run',
    '<%= config.bin %> library:delete Films --yes --json',
  ]
  static override args = { library: libraryArgument }
  static override flags = {
    yes: Flags.boolean({ char: 'y', summary: 'Do not ask for confirmation.' }),
    'dry-run': Flags.boolean({ char: 'n', summary: 'Only show what would be deleted.' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.failure, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args, flags } = await this.parse(LibraryDelete)
    const outcome = await this.withServices(async (services, { signal }) => {
      const { deleteLibrary, describeLibraryContent } = await import('../../core/maintenance/index.ts')
      const { id } = await findLibrary(services, args.library)
      const content = await describeLibraryContent(services, id)
      if (flags['dry-run']) return { content, isDeleted: false, jobIds: [] }
      const isConfirmed =
        flags.yes || (await confirmDeletion(describeLoss(content), { mayAsk: this.shared.mayAsk, signal }))
      if (!isConfirmed) return { content, isDeleted: false, jobIds: [] }
      const { cancelledJobs } = await deleteLibrary(services, id)
      return { content, isDeleted: true, jobIds: cancelledJobs.map((job) => job.id) }
    })
    const { content, isDeleted, jobIds } = outcome
    return this.finish({
      result: {
        library: libraryView(content.library),
        dry_run: flags['dry-run'],
        deleted: isDeleted,
        items: content.library.itemCount,
        people: content.people.map(({ username, itemCount }) => ({ username, items: itemCount })),
        cancelled_job_ids: jobIds,
      },
      text: textOf(content, { isDeleted, isDryRun: flags['dry-run'] }),
      exit: isDeleted || flags['dry-run'] ? EXIT.ok : EXIT.failure,
    })
  }
}

function textOf(content: LibraryContent, { isDeleted, isDryRun }: { isDeleted: boolean; isDryRun: boolean }): string {
  if (isDryRun) return describeLoss(content)
  return isDeleted
    ? `Deleted "${replaceControlCharacters(content.library.name)}" (${content.library.id})`
    : 'Nothing was deleted'
}

/**
 * `"Films" would be deleted with 12 items. Watched marks, ratings and favourites would be lost for: ada (3 items), bob (1 item). Files are
 * kept.`
 */
function describeLoss({ library, people }: LibraryContent): string {
  const items = countOf(library.itemCount)
  const names = people.map(({ username, itemCount }) => `${replaceControlCharacters(username)} (${countOf(itemCount)})`)
  const lost =
    names.length === 0 ? '' : ` Watched marks, ratings and favourites would be lost for: ${names.join(', ')}.`
  return `"${replaceControlCharacters(library.name)}" would be deleted with ${items}.${lost} Files are kept.`
}

function countOf(items: number): string {
  return pluralize(items, 'item')
}
