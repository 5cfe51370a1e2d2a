import * as Flags from '@oclif/core/flags'
import { backupView } from '../../core/views/index.ts'
import { confirmDeletion } from '../_support/arguments/confirm-deletion.ts'
import { folderFlag, refuseFolder, remoteFlag, withBucket } from '../_support/backups.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { commandErrors } from '../_support/errors.ts'
import { EXIT } from '../_support/exit-codes.ts'
import { pluralize } from '../../core/platform/errors/index.ts'

const count = (summary: string) => Flags.integer({ min: 1, max: 10_000, helpValue: 'NUMBER', summary })

export default class BackupPrune extends BaseCommand {
  static override summary = 'Remove old backups.'
  static override description =
    'A backup is kept if at least one rule selects it. The rules for days, weeks and months (in UTC) select the ' +
    'newest backup of each of the newest periods that have a backup. The newest valid backup is always kept. ' +
    'Damaged, newer and unchecked archives are not counted and not removed; with --remote, neither are the ' +
    'uploads of other installations. Independently of these rules, the server keeps only the newest of its own ' +
    'uploads; backups.retention is their number. Without a terminal --yes or --dry-run is required.'
  static override examples = [
    '<%= config.bin %> backup:prune --keep-last 5 --dry-run',
    '<%= config.bin %> backup:prune --keep-daily 7 --keep-weekly 4 --keep-monthly 12 --yes --quiet',
    '<%= config.bin %> backup:prune --remote --keep-last 3 --yes --quiet',
  ]
  static override flags = {
    folder: folderFlag,
    remote: remoteFlag,
    'all-servers': Flags.boolean({ summary: 'With --remote: remove old uploads of other installations too.' }),
    'keep-last': count('Keep the newest backups.'),
    'keep-daily': count('Keep the newest backup of each of the newest days.'),
    'keep-weekly': count('Keep the newest backup of each of the newest ISO weeks.'),
    'keep-monthly': count('Keep the newest backup of each of the newest months.'),
    yes: Flags.boolean({ char: 'y', summary: 'Do not ask for confirmation.' }),
    'dry-run': Flags.boolean({ char: 'n', summary: 'Only show what would be removed.' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.failure, EXIT.usage, EXIT.unavailable, EXIT.io, EXIT.denied, EXIT.config]

  async run(): Promise<object> {
    const { flags } = await this.parse(BackupPrune)
    const rules = {
      last: flags['keep-last'],
      daily: flags['keep-daily'],
      weekly: flags['keep-weekly'],
      monthly: flags['keep-monthly'],
    }
    if (Object.values(rules).every((rule) => rule === undefined)) {
      throw commandErrors.usage({
        message: 'No rule says which backups to keep',
        hint: 'give --keep-last 5, for example',
      })
    }
    const isDryRun = flags['dry-run']
    refuseFolder(flags)
    if (flags['all-servers'] && !flags.remote) throw commandErrors.usage({ message: '--all-servers needs --remote' })
    const { pruned, isDone } = await this.withConfig(async (config, { log, signal }) => {
      const { readOrCreateInstallationId, pruneBackups, pruneBucket } = await import('../../core/backups/index.ts')
      const installationId =
        flags.remote && !flags['all-servers'] ? await readOrCreateInstallationId(config) : undefined
      const prune = (isDryRun: boolean) =>
        flags.remote
          ? withBucket(config, log, (bucket) => pruneBucket(bucket, { rules, installationId, isDryRun, signal }))
          : pruneBackups({ config, folder: flags.folder, rules, isDryRun })
      const plan = await prune(true)
      const names = plan.filter(({ isKept }) => !isKept).map(({ backup }) => backup.name)
      if (isDryRun || names.length === 0) return { pruned: plan, isDone: true }
      const loss = `${pluralize(names.length, 'backup')} would be removed: ${names.join(', ')}.`
      if (!flags.yes && !(await confirmDeletion(loss, { mayAsk: this.shared.mayAsk, signal }))) {
        return { pruned: plan, isDone: false }
      }
      return { pruned: await prune(false), isDone: true }
    })
    const removed = pruned.filter(({ isKept }) => !isKept).map(({ backup }) => backup)
    const verb = isDryRun ? 'Would remove' : 'Removed'
    return this.finish({
      result: {
        dry_run: isDryRun,
        pruned: isDone && !isDryRun,
        removed: removed.map(backupView),
        kept: pruned.filter(({ isKept }) => isKept).map(({ backup }) => backupView(backup)),
      },
      text: isDone
        ? [
            `${verb} ${removed.length} of ${pluralize(pruned.length, 'backup')}`,
            ...removed.map(({ name }) => `  ${name}`),
          ].join('\n')
        : 'Nothing was removed',
      exit: isDone ? EXIT.ok : EXIT.failure,
    })
  }
}
