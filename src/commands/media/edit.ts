import * as Flags from '@oclif/core/flags'
import { itemDetailView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { commandErrors } from '../_support/errors.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { describeItemDetail } from '../_support/output/describe-item.ts'
import { loadShownItem } from '../_support/load-shown-item.ts'
import { itemArgument } from '../_support/arguments/item-argument.ts'
import { requireChange } from '../_support/arguments/require-change.ts'

const FIELDS = ['title', 'sort-title', 'year', 'overview', 'genre'] as const
const RESETTABLE = [...FIELDS, 'poster'] as const

export default class MediaEdit extends BaseCommand {
  static override summary = 'Change the displayed data of an item.'
  static override description =
    'Edited values have priority over tags, NFO files and providers, also after later scans, matches and refreshes. ' +
    '--reset removes an edit. Values that are not given stay. A copy of the poster is stored in the database, so the ' +
    'file may be deleted afterwards.'
  static override examples = [
    '<%= config.bin %> media:edit 2b1c8f0e-6a53-4c0e-9d0f-1f6a3f1f0c11 --title "The Third Man" --year 1949',
    '<%= config.bin %> media:edit 2b1c8f0e-6a53-4c0e-9d0f-1f6a3f1f0c11 --genre Thriller --genre "Film noir"',
    '<%= config.bin %> media:edit 2b1c8f0e-6a53-4c0e-9d0f-1f6a3f1f0c11 --poster poster.jpg',
    '<%= config.bin %> media:edit 2b1c8f0e-6a53-4c0e-9d0f-1f6a3f1f0c11 --reset title --reset poster --json',
  ]
  static override args = { id: itemArgument }
  static override flags = {
    title: Flags.string({ summary: 'The name.' }),
    'sort-title': Flags.string({ helpValue: 'TITLE', summary: 'Title for sorting.' }),
    year: Flags.integer({ min: 1, max: 9999, helpValue: 'YEAR', summary: 'Year of the first release.' }),
    overview: Flags.string({ helpValue: 'TEXT', summary: 'Summary of the plot or content.' }),
    genre: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'NAME',
      summary: 'A genre; replaces the present genres. May be given several times.',
    }),
    poster: Flags.string({
      helpValue: 'FILE',
      summary: 'The poster: JPEG, PNG or WebP, at most 32 MiB, at least 100 pixels a side.',
    }),
    reset: Flags.option({
      options: RESETTABLE,
      multiple: true,
      multipleNonGreedy: true,
      summary: 'Remove an edit. May be given several times.',
    })(),
  }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, EXIT.denied, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args, flags, raw } = await this.parse(MediaEdit)
    requireChange({ raw }, MediaEdit.flags, { hint: `phlix media:show ${args.id} shows the present values` })
    const part = partOf(flags)
    const poster = await posterOf(flags)
    const shown = await this.withMediaServices(async (services) => {
      const { editItem } = await import('../../core/metadata/index.ts')
      await editItem(services, { itemId: args.id, part, ...(poster !== undefined && { poster }) })
      return loadShownItem(services, args.id)
    })
    return this.finish({ result: { item: itemDetailView(shown) }, text: describeItemDetail(shown) })
  }
}

type EditFlags = {
  title?: string | undefined
  'sort-title'?: string | undefined
  year?: number | undefined
  overview?: string | undefined
  genre?: string[] | undefined
  poster?: string | undefined
  reset?: (typeof RESETTABLE)[number][] | undefined
}

/**
 * The content of the given file; null removes the edited poster.
 * @throws the errors of `readPictureFile`
 */
async function posterOf({ poster, reset }: EditFlags): Promise<Uint8Array | null | undefined> {
  if (poster === undefined) return reset?.includes('poster') === true ? null : undefined
  const { MAX_POSTER_BYTES } = await import('../../core/artwork/index.ts')
  const { readPictureFile } = await import('../_support/arguments/picture-file.ts')
  return readPictureFile(poster, { maxBytes: MAX_POSTER_BYTES })
}

/**
 * The body that the HTTP API would receive; null removes an edit.
 * @throws AppError `usage`
 */
function partOf(flags: EditFlags): Record<string, unknown> {
  const given: [field: string, value: unknown][] = FIELDS.flatMap((field) =>
    flags[field] === undefined ? [] : [[keyOf(field), flags[field]]],
  )
  const both = flags.reset?.find((field) => flags[field] !== undefined)
  if (both !== undefined) throw commandErrors.usage({ message: `${both} cannot be set and reset` })
  const fields = FIELDS.filter((field) => flags.reset?.includes(field) === true)
  return Object.fromEntries([...given, ...fields.map((field): [string, unknown] => [keyOf(field), null])])
}

function keyOf(field: (typeof FIELDS)[number]): string {
  return field === 'genre' ? 'genres' : field.replace('-', '_')
}
