import t from 'tap'
import { loadConfig, readSystemdNotifyTarget } from '../../src/core/platform/config/index.ts'
import { createLogger, createRecentLines } from '../../src/core/platform/logging/index.ts'
import { connectSystemd } from '../../src/daemon/systemd.ts'
import { openNotifySocket, unlessNotifies } from '../support/notify-socket.ts'
import { waitUntil } from '../support/wait-until.ts'

async function logger() {
  const recentLines = createRecentLines()
  const config = loadConfig({ environment: {} })
  const log = await createLogger(config, { destination: { write: () => undefined }, recentLines })
  return { log, lines: () => recentLines.lines() }
}

void t.test(
  'the variables of systemd are read, and wrong ones mean that no manager or no watchdog exists',
  async (t) => {
    const socket = { NOTIFY_SOCKET: '/run/systemd/notify' }
    const read = (variables: Record<string, string>) => readSystemdNotifyTarget({ ...socket, ...variables }, 7)
    t.strictSame(read({}), { notifySocket: '/run/systemd/notify', watchdogSeconds: undefined })
    t.equal(read({ NOTIFY_SOCKET: '@name' })?.notifySocket, '@name')
    for (const NOTIFY_SOCKET of ['', 'relative', 'vsock:2:1'])
      t.equal(read({ NOTIFY_SOCKET }), undefined, NOTIFY_SOCKET)
    t.equal(read({ WATCHDOG_USEC: '60000000' })?.watchdogSeconds, 60)
    t.equal(read({ WATCHDOG_USEC: '60000000', WATCHDOG_PID: '7' })?.watchdogSeconds, 60)
    t.equal(read({ WATCHDOG_USEC: '60000000', WATCHDOG_PID: '8' })?.watchdogSeconds, undefined, 'of another process')
    for (const WATCHDOG_USEC of ['', '0', '-5', 'soon', '1e400', '2.5'])
      t.equal(read({ WATCHDOG_USEC })?.watchdogSeconds, undefined, WATCHDOG_USEC)
  },
)

void t.test('without a service manager nothing is sent', async (t) => {
  const { log, lines } = await logger()
  const manager = connectSystemd({ log, environment: { PATH: '/nowhere' } })
  await Promise.all([manager.ready('Serving'), manager.stopping(), manager.restarting()])
  manager.close()
  t.strictSame(lines(), [])
})

void t.test('messages reach the socket, and the watchdog is fed until close', { skip: unlessNotifies }, async (t) => {
  const { log, lines } = await logger()
  const { path, messages } = await openNotifySocket(t)
  const environment = { NOTIFY_SOCKET: path, WATCHDOG_USEC: '20000' }
  const manager = connectSystemd({ log, environment })
  const fed = (): number => messages.filter((message) => message === 'WATCHDOG=1').length
  await waitUntil('the watchdog was fed three times', () => fed() >= 3)
  manager.close()
  await manager.ready('Serving http://localhost:8096')
  await manager.restarting()
  await manager.stopping()
  await waitUntil('the last message arrived', () => messages.some((message) => message.startsWith('STOPPING=1')))
  t.strictSame(
    messages.filter((message) => message !== 'WATCHDOG=1'),
    ['READY=1 STATUS=Serving http://localhost:8096', 'STATUS=Restarting', 'STOPPING=1 STATUS=Stopping'],
  )
  t.strictSame(lines(), [])
})

void t.test('until it is ready, the daemon asks for more time', { skip: unlessNotifies }, async (t) => {
  const { log } = await logger()
  const { path, messages } = await openNotifySocket(t)
  const manager = connectSystemd({ log, environment: { NOTIFY_SOCKET: path }, extensionSeconds: 0.03 })
  await waitUntil('two requests arrived', () => messages.length >= 2)
  await manager.ready('Serving')
  await manager.stopping()
  manager.close()
  await waitUntil('the last message arrived', () => messages.at(-1)?.startsWith('STOPPING=1') === true)
  const requests = messages.slice(0, -2)
  t.strictSame(messages.slice(-2), ['READY=1 STATUS=Serving', 'STOPPING=1 STATUS=Stopping'])
  t.strictSame([...new Set(requests)], ['EXTEND_TIMEOUT_USEC=30000'])
})

void t.test(
  'a socket without a reader is reported once in the log, and stops nothing',
  { skip: unlessNotifies },
  async (t) => {
    const { log, lines } = await logger()
    const manager = connectSystemd({ log, environment: { NOTIFY_SOCKET: '/nowhere/notify' } })
    await manager.ready('Serving')
    await manager.stopping()
    manager.close()
    t.equal(lines().length, 1)
    t.match(lines()[0], /systemd-notify could not report/)
  },
)
