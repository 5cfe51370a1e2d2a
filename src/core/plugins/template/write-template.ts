import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { releaseVersion } from '../../platform/config/index.ts'
import { systemErrorCode } from '../../platform/errors/index.ts'
import { pluginErrors } from '../errors.ts'
import { NAME_PATTERN } from '../manifest/manifest.ts'

const PREFIX = 'phlix-plugin-'

const SOURCE = `// Phlix starts this class in a process of its own. docs/plugins.md describes the interface.
export default class Plugin {
  async onEnable(container) {
    this.container = container
    container.log('enabled; greeting: ' + container.settings.greeting)
  }

  // Each event of "events" in plugin.json without a handler in subscribedEvents().
  async notify(event) {
    const count = ((await this.container.store.get('count')) ?? 0) + 1
    await this.container.store.set('count', count)
    this.container.log(this.container.settings.greeting + ': ' + event.event + ', event number ' + count)
  }

  async onDisable() {}
}
`

/**
 * Writes a new plugin that runs as it is: a notifier that counts events.
 * @param name with or without the prefix `phlix-plugin-`
 * @returns the folder, which is new
 * @throws AppError `plugin.install.failed` for an invalid name or an existing folder
 */
export async function writeTemplate({ name, parent }: { name: string; parent: string }): Promise<string> {
  const full = name.startsWith(PREFIX) ? name : `${PREFIX}${name}`
  if (!NAME_PATTERN.test(full) || full.length > 64) {
    const message = `${JSON.stringify(name)} is not lower-case words with hyphens, at most 64 characters with ${PREFIX}.`
    throw pluginErrors.plugin_install_failed({ message })
  }
  const folder = join(parent, full)
  try {
    await mkdir(folder)
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error
    throw pluginErrors.plugin_install_failed({ message: `${folder} exists already.` })
  }
  const manifest = {
    name: full,
    version: '1.0.0',
    phlix_min_server_version: releaseVersion(),
    type: 'notifier',
    entry: 'index.mjs',
    events: ['playback.started', 'playback.stopped'],
    settings: { greeting: { type: 'string', default: 'Hello', description: 'The first word of each log line.' } },
    permissions: { hosts: [] },
  }
  await writeFile(join(folder, 'plugin.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  await writeFile(join(folder, 'index.mjs'), SOURCE)
  return folder
}
