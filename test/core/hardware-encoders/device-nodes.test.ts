import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { readDeviceFacts } from '../../../src/core/hardware-encoders/device-nodes.ts'
import { reachableDirectory } from '../../support/directories.ts'
import { asUnprivilegedUser } from '../../support/unprivileged-user.ts'

void t.test('device nodes are listed by number, with their group and whether they can be opened', async (t) => {
  const deviceFolder = reachableDirectory(t)
  const groupFile = join(deviceFolder, 'group')
  writeFileSync(groupFile, `root:x:0:\nrender:x:${process.getgid?.() ?? 0}:phlix\nbroken\n:x:\nempty:x::\n`)
  mkdirSync(join(deviceFolder, 'dri'))
  for (const name of ['renderD129', 'renderD128', 'card0', 'renderD', 'renderD128x']) {
    writeFileSync(join(deviceFolder, 'dri', name), '')
    chmodSync(join(deviceFolder, 'dri', name), 0o660)
  }
  for (const name of ['video11', 'video2', 'nvidia0', 'nvidiactl', 'nvidia-uvm', 'videos']) {
    writeFileSync(join(deviceFolder, name), '')
    chmodSync(join(deviceFolder, name), 0o600)
  }
  symlinkSync('gone', join(deviceFolder, 'video3'))
  const { nodes, account } = await readDeviceFacts({ deviceFolder, groupFile })
  t.type(account, 'string')
  const names = (kind: keyof typeof nodes) => nodes[kind].map(({ path }) => path.slice(deviceFolder.length + 1))
  t.strictSame(names('render'), ['dri/renderD128', 'dri/renderD129'])
  t.strictSame(names('nvidia'), ['nvidia0'])
  t.strictSame(names('video'), ['video2', 'video11'])
  t.match(nodes.render[0], { isAccessible: true, groupName: 'render', isForGroup: true })
  t.match(nodes.nvidia[0], { isAccessible: true, isForGroup: false })
})

void t.test('a node without permission is not accessible', { skip: process.geteuid?.() !== 0 }, async (t) => {
  const deviceFolder = reachableDirectory(t)
  mkdirSync(join(deviceFolder, 'dri'))
  const path = join(deviceFolder, 'dri/renderD128')
  writeFileSync(path, '')
  chownSync(path, 0, 4242)
  chmodSync(path, 0o660)
  const { nodes, account } = await asUnprivilegedUser(() => readDeviceFacts({ deviceFolder, groupFile: '/nowhere' }))
  t.match(nodes.render, [{ path, isAccessible: false, groupId: 4242, groupName: null, isForGroup: true }])
  t.equal(account, 'nobody', 'the account of the process, not that of its parent')
})

void t.test('a machine without device nodes has none', async (t) => {
  const { nodes } = await readDeviceFacts({ deviceFolder: join(reachableDirectory(t), 'absent') })
  t.strictSame(nodes, { render: [], nvidia: [], video: [] })
})
