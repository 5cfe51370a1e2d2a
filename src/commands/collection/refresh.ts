import * as Args from '@oclif/core/args'
import type { Collection } from '../../core/collections/index.ts'
import type { CoreServices } from '../../core/core-services.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { findNamed } from '../_support/arguments/find-named.ts'
import { replaceControlCharacters } from '../_support/output/table.ts'

type Refreshed = Pick<Collection, 'id' | 'name'> & { added: number; removed: number }

/** The command line has the permissions of an administrator, without an account. */
const ADMINISTRATOR = { id: '', isAdmin: true }

export default class CollectionRefresh extends BaseCommand {
  static override summary = 'Update smart collections to the current result of their rules.'
  static override description =
    'New items are added at the end. Items that no longer match are removed. The others keep their order. Without a ' +
    'name all smart collections are refreshed, one after the other.'
  static override examples = [
    '<%= config.bin %> collection:refresh',
    '<%= config.bin %> collection:refresh "New dramas"',
  ]
  static override args = {
    collection: Args.string({
      ignoreStdin: true,
      description: 'id, or name if only one collection has it; default: all smart collections',
    }),
  }
  static override exitCodes = [EXIT.ok, EXIT.failure, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args } = await this.parse(CollectionRefresh)
    const refreshed = await this.withServices(async (services) => {
      const { refreshCollection } = await import('../../core/collections/index.ts')
      const done: Refreshed[] = []
      for (const { id, name } of await findMeant(services, args.collection)) {
        const { added, removed } = await refreshCollection(services, { id, by: ADMINISTRATOR })
        done.push({ id, name, added, removed })
      }
      return done
    })
    const lines = refreshed.map(
      ({ name, added, removed }) => `${replaceControlCharacters(name)}: ${added} added, ${removed} removed`,
    )
    return this.finish({ result: { refreshed }, text: lines.length === 0 ? 'No smart collections' : lines.join('\n') })
  }
}

async function findMeant(
  services: Pick<CoreServices, 'db'>,
  idOrName: string | undefined,
): Promise<readonly Collection[]> {
  const { collectionErrors, listCollections } = await import('../../core/collections/index.ts')
  const all = await listCollections(services)
  if (idOrName === undefined) return all.filter(({ smartPlaylistId }) => smartPlaylistId !== null)
  const collection = findNamed(all, { idOrName, kind: 'collections' })
  if (collection !== undefined) return [collection]
  throw collectionErrors.collection_not_found({
    message: 'No collection has this id or name',
    hint: 'phlix collection:list',
  })
}
