import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { startDaemon, stopDaemon } from '../support/daemon.ts'
import { migratedDatabase } from '../support/database.ts'
import { runPhlix, temporaryDataDirectory } from '../support/phlix.ts'
import { pluginArchive } from '../support/plugin-archives.ts'
import { waitUntil } from '../support/wait-until.ts'

const NAME = 'phlix-plugin-sample'

const SOURCE = `export default class {
  async onEnable({ log, store }) {
    await store.set('key', 1)
    log('runs with ' + (await store.list()).join())
  }
}`

void t.test('the server of a bundled release runs the processes of plugins', async (t) => {
  const data = await temporaryDataDirectory(t)
  const environment = { ...(await migratedDatabase(t)), PHLIX_PLUGINS_ALLOW_WEAK_ISOLATION: 'true' }
  const archive = join(data, 'sample.tgz')
  await writeFile(archive, await pluginArchive(SOURCE))
  for (const words of [
    ['plugin:install', archive],
    ['plugin:enable', NAME],
  ]) {
    t.match(await runPhlix([...words, '--data-dir', data], { environment }), { code: 0 })
  }
  const daemon = await startDaemon(data, environment)
  t.teardown(() => stopDaemon(daemon))
  await waitUntil('the plugin logs', () => daemon.log().includes('runs with key'))
})
