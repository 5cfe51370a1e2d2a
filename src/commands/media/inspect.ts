import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { dirname, resolve } from 'node:path'
import type { LibraryType } from '../../core/libraries/index.ts'
import type { FileInspection } from '../../core/scanning/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { describeInspection, inspectionDocument } from '../_support/output/describe-inspection.ts'
import { EXIT } from '../_support/exit-codes.ts'
import { LIBRARY_TYPES } from '../_support/arguments/library-types.ts'

export default class MediaInspect extends BaseCommand {
  static override summary = 'Show what a scan would read from a file: from its name, its headers and its tags.'
  static override description =
    'Reads one file and the files that describe it, as a scan of a library of this type would, and writes nothing. ' +
    'The database is not opened. Without --root the folder above the file’s own folder is used as the folder of the ' +
    'library.'
  static override examples = [
    '<%= config.bin %> media:inspect "/media/films/Film (1999)/Film (1999).mkv"',
    '<%= config.bin %> media:inspect song.flac --type music --root /media/music --json',
  ]
  static override args = { path: Args.string({ required: true, ignoreStdin: true, description: 'the file' }) }
  static override flags = {
    type: Flags.option({
      options: LIBRARY_TYPES,
      summary: 'Type of the library; default: determined by the file name.',
    })(),
    root: Flags.string({ helpValue: 'FOLDER', summary: 'Folder of the library that the file is in.' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.partial, EXIT.notFound, EXIT.denied, EXIT.config]

  async run(): Promise<object> {
    const { args, flags } = await this.parse(MediaInspect)
    const path = resolve(args.path)
    const root = flags.root === undefined ? dirname(dirname(path)) : resolve(flags.root)
    const inspection = await this.inspect({ path, root, libraryType: flags.type ?? (await fittingType(path)) })
    return this.finish({
      result: inspectionDocument(inspection),
      text: describeInspection(inspection),
      exit: inspection.error === null ? EXIT.ok : EXIT.partial,
    })
  }

  private async inspect(input: { path: string; root: string; libraryType: LibraryType }): Promise<FileInspection> {
    const config = this.readConfig()
    const [{ createMediaTools }, { createReaderPool }, { inspectFile }] = await Promise.all([
      import('../../core/platform/media-tools/index.ts'),
      import('../../core/probing/index.ts'),
      import('../../core/scanning/index.ts'),
    ])
    const mediaTools = createMediaTools({ config, log: await this.openLog(config) })
    const readers = createReaderPool({ threads: 1 })
    try {
      return await inspectFile({ mediaTools, readers }, input, new AbortController().signal)
    } finally {
      await readers.close()
    }
  }
}

/**
 * The library type for a file by its extension. A video counts as a film, because an episode cannot be recognised before it is known to be
 * in a series library.
 */
async function fittingType(path: string): Promise<LibraryType> {
  const { mediaFileKind } = await import('../../core/platform/files/index.ts')
  const types = { audio: 'music', photo: 'photo', book: 'book' } as const
  const kind = mediaFileKind(path)
  return kind === 'audio' || kind === 'photo' || kind === 'book' ? types[kind] : 'movie'
}
