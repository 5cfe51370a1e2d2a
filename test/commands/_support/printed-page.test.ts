import { join } from 'node:path'
import t from 'tap'
import { acquireProcessLock } from '../../../src/core/platform/spawn/index.ts'
import { makeItems } from '../../support/catalogue-items.ts'
import { testDatabase } from '../../support/database.ts'
import { reachableDirectory } from '../../support/directories.ts'
import { runPhlix } from '../../support/phlix.ts'
import { testServices } from '../../support/services.ts'

void t.test('all commands print the same address: the public one, else that of the server that runs', async (t) => {
  const database = await testDatabase(t)
  const services = await testServices(t, { database })
  const { dataDirectory } = services.config
  const [item = ''] = await makeItems(services.db, reachableDirectory(t), [{ name: 'A film' }])
  let count = 0
  const addresses = async (environment: Record<string, string> = {}): Promise<string[]> => {
    count += 1
    const name = `user${count}`
    const urls: string[] = []
    for (const words of [
      ['user:create', name, '--email', `${name}@example.test`],
      ['invite:create'],
      ['share:create', item, '--user', name],
    ]) {
      const run = [...words, '--json', '--data-dir', dataDirectory]
      const { stdout } = await runPhlix(run, { environment: { ...database.environment, ...environment } })
      urls.push(new URL((JSON.parse(stdout) as { url: string }).url).origin)
    }
    return urls
  }
  const lock = acquireProcessLock({ path: join(dataDirectory, 'serve.lock'), address: 'http://127.0.0.1:40123' })
  t.strictSame(await addresses(), Array(3).fill('http://127.0.0.1:40123'))
  const publicUrl = 'https://media.example.test'
  t.strictSame(await addresses({ PHLIX_PUBLIC_URL: publicUrl }), Array(3).fill(publicUrl))
  const { stdout } = await runPhlix(['invite:create', '--data-dir', dataDirectory], {
    environment: database.environment,
  })
  t.match(stdout, /The address opens only on this machine\. For people elsewhere set server\.public_url/)
  lock.release()
})
