import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import type { MatchSearch } from '../../core/metadata/index.ts'
import type { Services } from '../../core/services.ts'
import { appliedMatchView, matchCandidateView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { commandErrors } from '../_support/errors.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { replaceControlCharacters, renderTable, type Column } from '../_support/output/table.ts'
import { itemArgument } from '../_support/arguments/item-argument.ts'
import { pluralize } from '../../core/platform/errors/index.ts'

type Candidate = MatchSearch['results'][number]

const COLUMNS: readonly Column<Candidate>[] = [
  { title: 'tmdb', text: ({ id }) => id, alignRight: true },
  { title: 'type', text: ({ kind }) => kind },
  { title: 'year', text: ({ year }) => (year === null ? '-' : String(year)) },
  { title: 'title', text: ({ title }) => title },
  { title: 'original title', text: ({ originalTitle }) => originalTitle ?? '-' },
]

export default class MediaMatch extends BaseCommand {
  static override summary = 'Match an item with a title of TMDB, or search for one.'
  static override description =
    'With --search it only lists possible titles, by the item’s name and year or by the given words. With --tmdb the ' +
    'item is matched with that title; the metadata of an earlier match are removed. For an episode or a season the ' +
    'series is matched.'
  static override examples = [
    '<%= config.bin %> media:match 2b1c8f0e-6a53-4c0e-9d0f-1f6a3f1f0c11 --search',
    '<%= config.bin %> media:match 2b1c8f0e-6a53-4c0e-9d0f-1f6a3f1f0c11 --search "the third man"',
    '<%= config.bin %> media:match 2b1c8f0e-6a53-4c0e-9d0f-1f6a3f1f0c11 --tmdb 1092',
  ]
  static override args = {
    id: itemArgument,
    words: Args.string({ ignoreStdin: true, description: 'with --search: words to search for instead of the name' }),
  }
  static override flags = {
    tmdb: Flags.integer({ min: 1, helpValue: 'NUMBER', summary: 'The id of the title at TMDB.' }),
    search: Flags.boolean({ summary: 'List possible titles; nothing is changed.' }),
    type: Flags.option({
      options: ['movie', 'tv'] as const,
      summary: 'Type of the id or of the words; default: the type of the item.',
    })(),
    year: Flags.integer({ min: 1, max: 9999, helpValue: 'YEAR', summary: 'With --search: year of the first release.' }),
    plain: Flags.boolean({ summary: 'Tab-separated, without a header.' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args, flags } = await this.parse(MediaMatch)
    const { tmdb, search, type, year, plain } = flags
    if (tmdb !== undefined && search) throw commandErrors.usage({ message: 'Give only one of --tmdb and --search' })
    if (tmdb === undefined && !search) throw commandErrors.usage({ message: 'Give --tmdb NUMBER or --search' })
    if (args.words !== undefined && !search) throw commandErrors.usage({ message: 'Search words need --search' })
    if (tmdb !== undefined) return this.apply({ itemId: args.id, tmdbId: tmdb, type })
    return this.search({ itemId: args.id, query: args.words, year, type }, plain)
  }

  private async apply(input: { itemId: string; tmdbId: number; type: string | undefined }): Promise<object> {
    const { applied, title } = await this.withMediaServices(async (services: Services) => {
      const [{ matchItemAndSyncBoxSet }, { getItem }] = await Promise.all([
        import('../../core/collections/index.ts'),
        import('../../core/catalogue/index.ts'),
      ])
      const matched = await matchItemAndSyncBoxSet(services, input)
      return { applied: matched, title: (await getItem(services, matched.itemId)).name }
    })
    const { kind, tmdbId, childrenEnriched } = applied
    const children =
      childrenEnriched === 0
        ? ''
        : `, with ${pluralize(childrenEnriched, 'season or episode', { plural: 'seasons and episodes' })}`
    return this.finish({
      result: { ...appliedMatchView(applied), name: title, type: kind },
      text: `Matched "${replaceControlCharacters(title)}" with TMDB ${tmdbId}${children}`,
    })
  }

  private async search(
    input: { itemId: string; query: string | undefined; year: number | undefined; type: string | undefined },
    plain: boolean,
  ): Promise<object> {
    const search = await this.withMediaServices(async (services) => {
      const { searchMatches } = await import('../../core/metadata/index.ts')
      return searchMatches(services, input)
    })
    const { results, query, kind, context } = search
    return this.finish({
      result: {
        item_id: context.id,
        query,
        type: kind,
        results: results.map(matchCandidateView),
      },
      text:
        results.length === 0 && !plain
          ? `TMDB finds nothing for "${replaceControlCharacters(query)}"`
          : renderTable(COLUMNS, results, { plain, output: this.output }),
    })
  }
}
