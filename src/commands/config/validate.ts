import { BaseCommand } from '../_support/base-command.ts'
import { EXIT } from '../_support/exit-codes.ts'

export default class ConfigValidate extends BaseCommand {
  static override summary = 'Check the configuration without opening anything; all problems are reported at once.'
  static override description =
    'Reads the flags, the environment and the file. The exit code is 78 if an option is unknown or not valid.'
  static override examples = [
    '<%= config.bin %> config:validate',
    '<%= config.bin %> config:validate --config new.toml && systemctl restart phlix',
  ]
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.config]

  async run(): Promise<object> {
    await this.parse(ConfigValidate)
    const config = this.readConfig()
    const { checkSignInOptions } = await import('../../core/check-sign-in-options.ts')
    checkSignInOptions(config)
    if (!config.options['accounts.local_sign_in']) {
      this.warn(
        'Local sign-in is off. Without a rescue account nobody can sign in while the provider does not answer: ' +
          'phlix user:rescue NAME names one, and phlix doctor --only rescue,oidc,ldap examines both.',
      )
    }
    const sources = [...new Set(Object.values(config.origins))].filter((origin) => origin !== 'default').toSorted()
    return this.finish({
      result: { valid: true, data_directory: config.dataDirectory, sources },
      text: `The configuration is valid${sources.length === 0 ? '' : ` (${sources.join(', ')})`}.`,
    })
  }
}
