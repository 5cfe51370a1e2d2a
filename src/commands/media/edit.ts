import { Flags } from '@oclif/core'
import { BaseCommand } from '../_support/base-command.ts'
import { commandErrors } from '../_support/errors.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { describeItemDetail, itemArgument, wireItemDetail } from '../_support/wire-item.ts'

const FIELDS = ['title', 'sort-title', 'year', 'overview', 'genre'] as const

export default class MediaEdit extends BaseCommand {
  static override summary = 'Change what is shown of an item.'
  static override description =
    'What is edited comes before tags, NFO files and providers, whatever is scanned, matched or refreshed later. --reset takes an edit ' +
    'back. What is not named stays.'
  static override examples = [
    '<%= config.bin %> media:edit 2b1c8f0e-6a53-4c0e-9d0f-1f6a3f1f0c11 --title "The Third Man" --year 1949',
    '<%= config.bin %> media:edit 2b1c8f0e-6a53-4c0e-9d0f-1f6a3f1f0c11 --genre Thriller --genre "Film noir"',
    '<%= config.bin %> media:edit 2b1c8f0e-6a53-4c0e-9d0f-1f6a3f1f0c11 --reset title --json',
  ]
  static override args = { id: itemArgument }
  static override flags = {
    title: Flags.string({ summary: 'The name.' }),
    'sort-title': Flags.string({ helpValue: 'TITLE', summary: 'What it is sorted by.' }),
    year: Flags.integer({ min: 1, max: 9999, helpValue: 'YEAR', summary: 'Year of the first release.' }),
    overview: Flags.string({ helpValue: 'TEXT', summary: 'What it is about.' }),
    genre: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'NAME',
      summary: 'A genre, instead of those that it has. May be given several times.',
    }),
    reset: Flags.option({
      options: FIELDS,
      multiple: true,
      multipleNonGreedy: true,
      summary: 'Take an edit back. May be given several times.',
    })(),
  }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args, flags } = await this.parse(MediaEdit)
    const part = partOf(flags)
    const { item, files, title } = await this.withServices(async (services) => {
      const { describeItems, getItem, listItemFiles } = await import('../../core/catalogue/index.ts')
      const { editItem } = await import('../../core/metadata/index.ts')
      await editItem(services, { itemId: args.id, part })
      const found = await getItem(services, args.id)
      const [described] = await describeItems(services, [found.id])
      return { item: found, files: await listItemFiles(services, found.id), title: described?.title ?? found.name }
    })
    return this.finish({
      result: { item: wireItemDetail(item, files) },
      text: describeItemDetail(item, { title, files }),
    })
  }
}

type EditFlags = {
  title?: string | undefined
  'sort-title'?: string | undefined
  year?: number | undefined
  overview?: string | undefined
  genre?: string[] | undefined
  reset?: (typeof FIELDS)[number][] | undefined
}

/** The part of an item that the HTTP API would be sent; null takes an edit back. @throws AppError `usage` */
function partOf(flags: EditFlags): Record<string, unknown> {
  const given: [field: string, value: unknown][] = FIELDS.flatMap((field) =>
    flags[field] === undefined ? [] : [[keyOf(field), flags[field]]],
  )
  const taken = (flags.reset ?? []).map((field): [string, unknown] => [keyOf(field), null])
  const both = taken.find(([key]) => given.some(([other]) => other === key))
  if (both !== undefined) throw commandErrors.usage({ message: `${both[0]} cannot be set and reset` })
  if (given.length + taken.length === 0) throw commandErrors.usage({ message: 'Nothing to change was named' })
  return Object.fromEntries([...given, ...taken])
}

function keyOf(field: (typeof FIELDS)[number]): string {
  return field === 'genre' ? 'genres' : field.replace('-', '_')
}
