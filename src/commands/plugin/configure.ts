import * as Flags from '@oclif/core/flags'
import { pluginDetailView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { commandErrors } from '../_support/errors.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { pluginArgument } from '../_support/arguments/plugin-argument.ts'
import { requireChange } from '../_support/arguments/require-change.ts'
import { readSecretText } from '../_support/arguments/secret-file.ts'

export default class PluginConfigure extends BaseCommand {
  static override summary = 'Change settings of a plugin.'
  static override description =
    'A value is JSON, or text if it is none. An empty value removes the setting. An enabled plugin is restarted with the new settings.'
  static override examples = [
    '<%= config.bin %> plugin:configure phlix-plugin-hello --set greeting=Hi',
    'printf %s "$TOKEN" | <%= config.bin %> plugin:configure phlix-plugin-hello --set-from-file token=-',
  ]
  static override args = { plugin: pluginArgument }
  static override flags = {
    set: Flags.string({ helpValue: 'NAME=VALUE', multiple: true, multipleNonGreedy: true, summary: 'A setting.' }),
    'set-from-file': Flags.string({
      helpValue: 'NAME=FILE',
      multiple: true,
      multipleNonGreedy: true,
      summary: 'A setting whose text is in a file, for secrets; `-` is standard input.',
    }),
  }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args, flags, raw } = await this.parse(PluginConfigure)
    requireChange({ raw }, PluginConfigure.flags, {
      hint: `phlix plugin:info ${args.plugin} shows the present settings`,
    })
    const typed = (flags.set ?? []).map((text) => splitPair(text)).map(([name, value]) => [name, readValue(value)])
    const read = (flags['set-from-file'] ?? []).map((text) => splitPair(text))
    const secrets = await Promise.all(read.map(async ([name, file]) => [name, await readSecretText(file)]))
    const changes = Object.fromEntries([...typed, ...secrets]) as Record<string, unknown>
    const { plugin, settings } = await this.withServices(async (services) => {
      const { changePluginSettings, redactedSettings } = await import('../../core/plugins/index.ts')
      const changed = await changePluginSettings(services, { name: args.plugin, changes })
      return { plugin: changed, settings: redactedSettings(changed.manifest.settings, changed.settings) }
    })
    return this.finish({
      result: { plugin: pluginDetailView(plugin, settings) },
      text: Object.entries(settings)
        .map(([key, value]) => `${key} = ${JSON.stringify(value)}`)
        .join('\n'),
    })
  }
}

function splitPair(text: string): [string, string] {
  const at = text.indexOf('=')
  if (at < 1) throw commandErrors.usage({ message: `${JSON.stringify(text)} is not NAME=VALUE` })
  return [text.slice(0, at), text.slice(at + 1)]
}

function readValue(text: string): unknown {
  if (text === '') return null
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
