import { spawn } from 'node:child_process'
import net from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { keepEngineRunning, startPhlix, temporaryDataDirectory, type RunningPhlix } from '../support/phlix.ts'
import { waitForNoProcess } from '../support/processes.ts'

type Line = Record<string, unknown>

/** Creating a database is expensive, so the tests that need no new one share one data directory, one after the other. */
const usedDirectory = await temporaryDataDirectory(t)

/** After a test no process may be left, including those of the database. */
const expectNoProcessAfter = (t: Test): void => t.teardown(() => waitForNoProcess(usedDirectory))

type Daemon = RunningPhlix & { address: string }

/** Waits for the log line with this message. */
function lineWith({ child, result }: RunningPhlix, message: string): Promise<Line> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.stderr?.on('data', (chunk: string) => {
      text += chunk
      for (const line of text.split('\n').slice(0, -1)) {
        if (line.startsWith('{') && (JSON.parse(line) as Line)['msg'] === message) resolve(JSON.parse(line) as Line)
      }
    })
    void result.then(({ code, stderr }) => reject(new Error(`ended with ${code}: ${stderr}`)))
  })
}

async function startDaemon(directory: string, words: readonly string[] = []): Promise<Daemon> {
  const ports = ['--port', '0', '--websocket-port', '0']
  const running = startPhlix(['serve', '--data-dir', directory, '--host', '127.0.0.1', ...ports, ...words])
  const line = await lineWith(running, 'the daemon listens')
  return { ...running, address: String(line['address']) }
}

async function ended(t: Test, { child, result }: Daemon, signal: NodeJS.Signals) {
  child.kill(signal)
  const outcome = await result
  t.match(outcome.stderr, /"msg":"the daemon has stopped"/)
  return outcome
}

void t.test('a daemon serves a new data directory, survives a closed terminal and stops in order', async (t) => {
  const directory = await temporaryDataDirectory(t)
  const daemon = await startDaemon(directory)
  t.match(daemon.address, /^http:\/\/127\.0\.0\.1:\d+$/)
  t.equal((await fetch(`${daemon.address}/readyz`)).status, 200)
  daemon.child.kill('SIGHUP')
  daemon.child.kill('SIGUSR1')
  t.equal((await fetch(`${daemon.address}/healthz`)).status, 200)
  const { code, stderr } = await ended(t, daemon, 'SIGTERM')
  t.equal(code, 0)
  t.notMatch(stderr, /Debugger listening/)
})

void t.test('a second daemon on the same port ends with one line that says what to do (F-40)', async (t) => {
  expectNoProcessAfter(t)
  await keepEngineRunning(t, usedDirectory)
  const taken = net.createServer().listen(0, '127.0.0.1')
  t.teardown(() => taken.close())
  await new Promise((resolve) => taken.once('listening', resolve))
  const { port } = taken.address() as net.AddressInfo
  const words = ['serve', '--data-dir', usedDirectory, '--host', '127.0.0.1', '--json']
  for (const [flags, option] of [
    [['--port', String(port), '--websocket-port', '0'], 'server.port'],
    [['--port', '0', '--websocket-port', String(port)], 'server.websocket_port'],
  ] as const) {
    const { code, stdout } = await startPhlix([...words, ...flags]).result
    t.equal(code, 69)
    t.match(JSON.parse(stdout), {
      error: { code: 'address_in_use', message: `127.0.0.1:${port} is in use`, hint: `choose another ${option}` },
    })
  }
})

void t.test('a second daemon on the same data directory is refused and names the first (F-32)', async (t) => {
  expectNoProcessAfter(t)
  const first = await startDaemon(usedDirectory)
  const words = ['serve', '--data-dir', usedDirectory, '--host', '127.0.0.1', '--port', '0', '--websocket-port', '0']
  const second = await startPhlix([...words, '--json']).result
  t.equal(second.code, 75)
  t.match(JSON.parse(second.stdout), {
    error: {
      code: 'server_running',
      message: new RegExp(`^process ${first.child.pid} serves ${usedDirectory} at http`),
    },
  })
  t.equal((await fetch(`${first.address}/readyz`)).status, 200, 'the first is not disturbed')
  first.child.kill('SIGKILL')
  await first.result
  const next = await startDaemon(usedDirectory)
  t.equal((await fetch(`${next.address}/readyz`)).status, 200, 'the lock of a killed one is taken over')
  await ended(t, next, 'SIGTERM')
})

void t.test('an address that the machine does not have is refused', async (t) => {
  expectNoProcessAfter(t)
  const { code, stdout } = await startPhlix(['serve', '--data-dir', usedDirectory, '--host', '192.0.2.1', '--json'])
    .result
  t.equal(code, 77)
  t.match(JSON.parse(stdout), { error: { code: 'address_not_permitted', hint: /server\.host/ } })
})

void t.test('a second signal ends the process at once', async (t) => {
  expectNoProcessAfter(t)
  const daemon = await startDaemon(usedDirectory)
  const socket = net.connect(Number(new URL(daemon.address).port), '127.0.0.1')
  socket.on('error', () => {})
  // An unfinished request delays the orderly stop. The daemon has received it when it asks for the body.
  socket.write(
    'POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n' +
      'Expect: 100-continue\r\n\r\n',
  )
  const asked = await new Promise<string>((resolve) => socket.once('data', (bytes) => resolve(bytes.toString())))
  t.match(asked, /^HTTP\/1\.1 100 /)
  socket.write('{')
  const stopping = lineWith(daemon, 'the daemon stops')
  daemon.child.kill('SIGINT')
  await stopping
  daemon.child.kill('SIGINT')
  t.equal((await daemon.result).code, 1)
})

void t.test('a reader of the log that goes away does not end the daemon (F-26)', async (t) => {
  expectNoProcessAfter(t)
  const daemon = await startDaemon(usedDirectory)
  daemon.child.stderr?.destroy()
  daemon.child.stdout?.destroy()
  for (let round = 0; round < 5; round++) t.equal((await fetch(`${daemon.address}/nowhere`)).status, 404)
  daemon.child.kill('SIGTERM')
  const code = await new Promise((resolve) => daemon.child.once('exit', resolve))
  t.equal(code, 0)
})

/** A process that runs the daemon and throws an uncaught error once it listens. */
const CRASHING = `
  import { loadConfig } from './src/core/platform/config/index.ts'
  import { prestartEngine } from './src/core/platform/database/index.ts'
  import { createLogger, createRecentLines } from './src/core/platform/logging/index.ts'
  import { runDaemon } from './src/daemon/serve.ts'
  const [dataDirectory] = process.argv.slice(1)
  const config = loadConfig({ dataDirectory, environment: {}, flags: { 'server.port': '0', 'server.websocket_port': '0' } })
  const destination = {
    write(line) {
      process.stderr.write(line)
      if (line.includes('the daemon listens')) setImmediate(() => { throw new Error('boom') })
    },
  }
  const log = await createLogger(config, { destination })
  const engine = prestartEngine({ config, log })
  await runDaemon({ config, log, engine, recentLines: createRecentLines(), checkConfig: () => {} }).catch((error) => {
    process.stdout.write(error.code)
    process.exitCode = 1
  })
`

void t.test('an uncaught error ends the daemon cleanly (F-39)', async (t) => {
  expectNoProcessAfter(t)
  const words = ['--input-type=module-typescript', '--eval', CRASHING, usedDirectory]
  const child = spawn(process.execPath, words, { cwd: join(import.meta.dirname, '..', '..'), stdio: 'pipe' })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const code = await new Promise((resolve) => child.once('close', resolve))
  t.equal(code, 1)
  t.equal(stdout, 'crashed')
  t.match(stderr, /boom[^]*"msg":"uncaught error"[^]*"msg":"the daemon has stopped"/)
})
