import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { loadConfig } from '../../../../src/core/platform/config/index.ts'
import { createLogger } from '../../../../src/core/platform/logging/index.ts'
import { createMediaTools } from '../../../../src/core/platform/media-tools/index.ts'
import { systemClock } from '../../../../src/core/platform/time/index.ts'
import { runEncoderSelfTest } from '../../../../src/core/streaming/segments/encoder-self-test.ts'
import { reachableDirectory } from '../../../support/directories.ts'

void t.test('ffmpeg is tested once per version, and a version whose segments do not join is detected', async (t) => {
  const dataDirectory = reachableDirectory(t)
  const program = join(reachableDirectory(t), 'ffmpeg')
  const priorities = `${program}-priorities`
  /** The real segmenter with one changed argument. */
  const behave = (change: string, version: string): void => {
    const told = `[ "$2" = -version ] && { echo "ffmpeg version ${version} Copyright"; exit 0; }`
    writeFileSync(program, `#!/bin/bash\n${told}\nnice >>${priorities}\n${change}\nexec ffmpeg "$@"\n`)
    chmodSync(program, 0o755)
  }
  const test = async (): Promise<string | null> => {
    const config = loadConfig({ dataDirectory, environment: {}, flags: { 'media.ffmpeg': program } })
    const log = await createLogger(config, { level: 'emergency' })
    const services = { config, log, clock: systemClock, mediaTools: createMediaTools({ config, log }) }
    return runEncoderSelfTest(services, new AbortController().signal)
  }
  behave('', '5.1')
  t.equal(await test(), null)
  behave('exit 1', '5.1')
  t.equal(await test(), null, 'that version is known')
  behave('[ "$4" = error ] && case "$*" in *segment_list*) set -- "${@/8.6/8.7}";; esac', '6.0')
  t.match(await test(), /begins at/)
  behave('case "$*" in *segment_list*) set -- "${@/noise=drop=*/null}";; esac', '6.1')
  t.match(await test(), /sound/)
  t.match(await test(), /sound/, 'that too is known')
  behave('', '6.2')
  t.equal(await test(), null)
  t.strictSame(
    new Set(readFileSync(priorities, 'utf8').trim().split('\n')),
    new Set(['19']),
    'the test runs at the lowest priority',
  )
  t.strictSame(readdirSync(join(dataDirectory, 'cache')), ['encoder-test.json'], 'nothing else is left')
})
