import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { shareView } from '../../core/views/index.ts'
import { findProfileOf } from '../_support/arguments/profile-argument.ts'
import { passwordFlags, readPassword } from '../_support/arguments/password-input.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { commandErrors } from '../_support/errors.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { readPrintedPage } from '../_support/printed-page.ts'

const DAY_MILLISECONDS = 86_400_000

export default class ShareCreate extends BaseCommand {
  static override summary = 'Create a link with which people without an account see one thing.'
  static override description =
    'The link is printed once; only a digest of it is stored. It shows an item with all below it, an album or a collection, as far as its user ' +
    'may see it at the time.'
  static override examples = [
    '<%= config.bin %> share:create 7f9c0b1e-5d2a-4c1b-9d43-0a1f0f0c2b77 --user ann',
    '<%= config.bin %> share:create --album "First Songs" --user ann',
    '<%= config.bin %> share:create --album album-2024-05-06 --user ann --days 30 --allow-download --quiet',
    'printf %s "$PASSWORD" | <%= config.bin %> share:create 7f9c0b1e-5d2a-4c1b-9d43-0a1f0f0c2b77 --user ann --password-stdin',
  ]
  static override args = {
    item: Args.string({ ignoreStdin: true, description: 'id of an item, from media:list' }),
  }
  static override flags = {
    user: Flags.string({ required: true, helpValue: 'USER', summary: 'Username or e-mail address.' }),
    profile: Flags.string({
      helpValue: 'PROFILE',
      summary: 'Name or id of the profile whose limits the guests have; default: the main one.',
    }),
    album: Flags.string({
      helpValue: 'ALBUM',
      summary: 'An album of music: TITLE, ARTIST/TITLE or its id; of photos: album-2024-05-06.',
    }),
    collection: Flags.string({ helpValue: 'ID', summary: 'A collection with its present items.' }),
    days: Flags.integer({ default: 7, min: 1, max: 365, summary: 'Validity in days.' }),
    'max-uses': Flags.integer({
      min: 1,
      max: 10_000,
      summary: 'How often it can be opened; default: any number of times.',
    }),
    'allow-download': Flags.boolean({ summary: 'The files may be saved.' }),
    ...passwordFlags,
  }
  static override exitCodes = [EXIT.ok, EXIT.failure, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]
  static override isIdempotent = false
  static override isRecorded = true

  async run(): Promise<object> {
    const { args, flags } = await this.parse(ShareCreate)
    const subject = { itemId: args.item, albumId: flags.album, collectionId: flags.collection }
    if (Object.values(subject).filter((id) => id !== undefined).length !== 1) {
      throw commandErrors.usage({ message: 'Give exactly one of an item, --album and --collection' })
    }
    const password = (await readPassword(flags, this.shared)) ?? null
    const { share, url, remark } = await this.withServices(async (services) => {
      const { getNamedAccount } = await import('../../core/accounts/index.ts')
      const { createPasswordHashing } = await import('../../core/platform/credentials/index.ts')
      const { createShare } = await import('../../core/shares/index.ts')
      const { runAsAccount } = await import('../../core/run-as-account.ts')
      const account = await getNamedAccount(services, flags.user)
      const idOrName = flags.profile ?? account.id
      const profile = await findProfileOf(services, { account, idOrName })
      const expiresAt = new Date(services.clock.now().getTime() + flags.days * DAY_MILLISECONDS)
      const passwordHashing = createPasswordHashing()
      const { share, token } = await runAsAccount(services, profile.id, (db) =>
        createShare(
          { ...services, db, passwordHashing },
          {
            account,
            profile,
            subject,
            expiresAt,
            password,
            maxUses: flags['max-uses'] ?? null,
            allowsDownload: flags['allow-download'],
          },
        ),
      )
      const page = await readPrintedPage(services)
      return { share, url: `${page.url}/s#${token}`, remark: page.remark }
    })
    return this.finish({
      result: { share: shareView(share), url },
      text: this.shared.quiet ? url : `Link until ${share.expiresAt.toISOString()}, shown only now: ${url}${remark}`,
      isPrintedWhenQuiet: true,
    })
  }
}
