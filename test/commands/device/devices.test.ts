import t from 'tap'
import { createAccount, listDevices, startRefreshSession } from '../../../src/core/accounts/index.ts'
import { testDatabase } from '../../support/database.ts'
import { runPhlix } from '../../support/phlix.ts'
import { testServices } from '../../support/services.ts'

void t.test('the devices of a user are listed, and signed out one by one or all', async (t) => {
  const database = await testDatabase(t)
  const services = await testServices(t, { database })
  const run = (...words: string[]) =>
    runPhlix([...words, '--data-dir', services.config.dataDirectory], { environment: database.environment })
  const input = { username: 'ann', email: 'ann@example.test', password: 'correct horse', isAdmin: false }
  const { id: accountId } = await createAccount(services, input)
  t.match(await run('device:list', '--user', 'ann'), { code: 0, stdout: 'No device is signed in\n' })
  const device = { name: 'Living room', type: 'roku' }
  const { familyId } = await startRefreshSession(services, { accountId, device, clientAddress: '192.0.2.1' })
  await startRefreshSession(services, { accountId })
  await startRefreshSession(services, { accountId })
  const { stdout } = await run('device:list', '--user', 'ANN@example.test', '--json')
  const { devices } = JSON.parse(stdout) as { devices: { id: string }[] }
  t.equal(devices.length, 3)
  t.match(
    devices.find(({ id }) => id === familyId),
    { name: 'Living room', type: 'roku', address: '192.0.2.1' },
  )
  t.match(await run('device:list', '--user', 'ann', '--plain'), { stdout: /\tLiving room\troku\t192\.0\.2\.1\t/ })
  const bob = await createAccount(services, { ...input, username: 'bob', email: 'bob@example.test' })
  await startRefreshSession(services, { accountId: bob.id, device })
  t.match(await run('device:list', '--plain'), { code: 0, stdout: /\tbob\tLiving room\troku\t/ })
  const ofAll = JSON.parse((await run('device:list', '--json')).stdout) as { devices: { username: string }[] }
  t.strictSame(ofAll.devices.map(({ username }) => username).toSorted(), ['ann', 'ann', 'ann', 'bob'])
  t.match(await run('device:revoke', familyId, '--user', 'ann'), { code: 0, stdout: 'One device is signed out.\n' })
  t.match(await run('device:revoke', familyId, '--user', 'ann'), { code: 66, stderr: /device_not_found/ })
  t.match(await run('device:revoke', '--user', 'ann', '--all', '--json'), { code: 0, stdout: /"revoked": ?2/ })
  t.strictSame(await listDevices(services, { accountId }), [])
  for (const words of [['--user', 'ann'], [familyId, '--user', 'ann', '--all'], ['--all']]) {
    t.equal((await run('device:revoke', ...words)).code, 2)
  }
  t.equal((await run('device:list', '--user', 'nobody')).code, 66)
})
