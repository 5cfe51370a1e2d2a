import * as Flags from '@oclif/core/flags'
import type { Collection } from '../../core/collections/index.ts'
import { toIsoTimestamp } from '../../core/platform/time/index.ts'
import { collectionView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { findLibrary } from '../_support/arguments/find-library.ts'
import { renderTable, type Column } from '../_support/output/table.ts'

const COLUMNS: readonly Column<Collection>[] = [
  { title: 'id', text: ({ id }) => id },
  { title: 'name', text: ({ name }) => name },
  { title: 'filled', text: (collection) => describeFilling(collection) },
  { title: 'parent', text: ({ parentId }) => parentId ?? '' },
  { title: 'library', text: ({ libraryId }) => libraryId },
]

export default class CollectionList extends BaseCommand {
  static override summary = 'List the collections.'
  static override examples = [
    '<%= config.bin %> collection:list',
    '<%= config.bin %> collection:list --library Films --json',
    '<%= config.bin %> collection:list --plain | cut -f1',
  ]
  static override flags = {
    library: Flags.string({ helpValue: 'LIBRARY', summary: 'Only this library (id or name).' }),
    plain: Flags.boolean({ summary: 'Tab-separated, without a header.' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { flags } = await this.parse(CollectionList)
    const collections = await this.withServices(async (services) => {
      const { listCollections, listLibraryCollections } = await import('../../core/collections/index.ts')
      if (flags.library === undefined) return listCollections(services)
      return listLibraryCollections(services, (await findLibrary(services, flags.library)).id)
    })
    return this.finish({
      result: { collections: collections.map((collection) => collectionView(collection, toIsoTimestamp)) },
      text:
        collections.length === 0 && !flags.plain
          ? 'No collections'
          : renderTable(COLUMNS, collections, { plain: flags.plain, output: this.output }),
    })
  }
}

function describeFilling({ smartPlaylistId, boxSetId }: Collection): string {
  if (smartPlaylistId !== null) return 'by rules'
  return boxSetId === null ? 'by hand' : 'by providers'
}
