import t from 'tap'
import { loadConfig } from '../../src/core/platform/config/index.ts'
import { createLogger } from '../../src/core/platform/logging/index.ts'
import { createMediaTools } from '../../src/core/platform/media-tools/index.ts'
import { createIsolation } from '../../src/core/platform/spawn/index.ts'
import { logMissingIsolation } from '../../src/daemon/media-isolation.ts'

type Line = { msg: string; kept: string[] }

void t.test('the log names unsupported sandbox restrictions once, and nothing where all are supported', async (t) => {
  const config = loadConfig({ environment: {} })
  const lines: Line[] = []
  const destination = { write: (line: string) => void lines.push(JSON.parse(line) as Line) }
  const log = await createLogger(config, { level: 'info', destination })
  const enqueueEvent = (isRefused: (words: readonly string[]) => boolean): string[][] => {
    lines.length = 0
    const isolation = createIsolation({
      tryRun: (command) => (isRefused(command.arguments) ? 'refused' : 'succeeded'),
    })
    logMissingIsolation({ log, mediaTools: createMediaTools({ config, log, isolation }) })
    return lines.map(({ kept }) => kept)
  }
  t.strictSame(
    enqueueEvent(() => false),
    [],
  )
  t.strictSame(
    enqueueEvent((words) => words.includes('--net')),
    [['the network']],
  )
  t.strictSame(
    enqueueEvent((words) => words.includes('--no-new-privs')),
    [['the rights of the server']],
  )
  t.strictSame(
    enqueueEvent(() => true),
    [['the network', 'the rights of the server']],
  )
  t.match(lines[0]?.msg, /^media tools keep the network and the rights of the server/)
})
