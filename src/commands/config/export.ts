import * as Flags from '@oclif/core/flags'
import { toConfigToml } from '../../core/platform/config/index.ts'
import { ConfigCommand } from '../_support/config-command.ts'
import { EXIT } from '../_support/exit-codes.ts'

export default class ConfigExport extends ConfigCommand {
  static override summary = 'Print a configuration file with every option that differs from its default.'
  static override description =
    'Contains the values of flags, the environment, the file and the database. Secrets are left out unless --with-secrets is given; ' +
    'a message on standard error names them.'
  static override examples = [
    '<%= config.bin %> config:export > phlix.toml',
    '(umask 077 && <%= config.bin %> config:export --with-secrets > phlix.toml)',
  ]
  static override flags = { 'with-secrets': Flags.boolean({ summary: 'Include passwords and keys in plain text.' }) }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.config]

  async run(): Promise<object> {
    const { flags } = await this.parse(ConfigExport)
    const config = await this.readEffectiveConfig()
    const { toml, omittedSecrets } = toConfigToml(config, { withSecrets: flags['with-secrets'] })
    if (omittedSecrets.length > 0 && !this.jsonEnabled() && !this.shared.quiet) {
      this.output.message(`left out: ${omittedSecrets.join(', ')}`)
    }
    return this.finish({ result: { toml, omitted_secrets: omittedSecrets }, text: toml.trimEnd() })
  }
}
