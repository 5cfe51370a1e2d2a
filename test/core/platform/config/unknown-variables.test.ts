import t from 'tap'
import { loadConfig } from '../../../../src/core/platform/config/index.ts'
import { OPTIONS } from '../../../../src/core/platform/config/options.ts'
import { findUnknownVariables } from '../../../../src/core/platform/config/unknown-variables.ts'

void t.test('an unknown variable with the prefix is reported with the nearest known name', (t) => {
  t.strictSame(findUnknownVariables({ PHLIX_DATADIR: '/x', PHLIX_FFMPG: 'y', PHLIX_QUITE_ANOTHER_THING: 'z' }), [
    'PHLIX_DATADIR is not a variable that is read (did you mean PHLIX_DATA_DIR?)',
    'PHLIX_FFMPG is not a variable that is read (did you mean PHLIX_FFMPEG?)',
    'PHLIX_QUITE_ANOTHER_THING is not a variable that is read',
  ])
  t.strictSame(
    findUnknownVariables({ PHLIX_WEBSOCKET_PORT: '1', PHLIX_MIN_DISK_SPACE_BYTES: '1', PHLIX_: 'x', PHLIX_URL: 'x' }),
    [
      'PHLIX_WEBSOCKET_PORT is not a variable that is read (did you mean the option server.websocket_port, which no variable sets?)',
      `PHLIX_MIN_DISK_SPACE_BYTES is not a variable that is read (did you mean ${OPTIONS['hls.min_disk_space_bytes'].env[0]}?)`,
      'PHLIX_ is not a variable that is read',
      'PHLIX_URL is not a variable that is read',
    ],
  )
  t.throws(() => loadConfig({ environment: { PHLIX_DATADIR: '/x' } }), { code: 'invalid_config' })
  t.end()
})

void t.test('every name of an option is known, and the file of a secret', (t) => {
  const names = Object.values(OPTIONS).flatMap(({ env, secret }) =>
    env.flatMap((name) => (secret ? [name, `${name}_FILE`] : [name])),
  )
  t.strictSame(findUnknownVariables(Object.fromEntries(names.map((name) => [name, 'x']))), [])
  t.not(findUnknownVariables({ PHLIX_FFMPEG_FILE: 'x' }).length, 0, 'a file is read only for secrets')
  t.end()
})

void t.test('names of other programs, without the prefix or without a value are accepted', (t) => {
  const others = [
    'PHLIX_CONFIG',
    'PHLIX_DATA_DIR',
    'PHLIX_PROGRESS',
    'PHLIX_PROGRESS_FPS',
    'PHLIX_CONTENT_TYPE',
    'PHLIX_AC_ZSH_SETUP_PATH',
    'PHLIX_BENCH_FILMS',
    'PHLIX_RUN_TOKEN',
    'PHLIX_PASSWORD',
    'PHLIX_PORT',
    'MYPHLIX_DATADIR',
    'phlix_datadir',
    'HOME',
  ]
  t.strictSame(findUnknownVariables(Object.fromEntries(others.map((name) => [name, 'x']))), [])
  t.strictSame(findUnknownVariables({ PHLIX_DATADIR: '', PHLIX_FFMPG: undefined }), [])
  t.end()
})

void t.test('variables of Kubernetes for services called phlix and phlix-… are accepted', (t) => {
  for (const service of ['PHLIX', 'PHLIX_DB', 'PHLIX_2', 'PHLIX_MEDIA_TOOLS']) {
    const set = {
      [`${service}_SERVICE_HOST`]: '10.0.0.1',
      [`${service}_SERVICE_PORT`]: '5432',
      [`${service}_SERVICE_PORT_HTTP`]: '5432',
      [`${service}_PORT`]: 'tcp://10.0.0.1:5432',
      [`${service}_PORT_5432_TCP`]: 'tcp://10.0.0.1:5432',
      [`${service}_PORT_5432_TCP_ADDR`]: '10.0.0.1',
      [`${service}_PORT_5432_TCP_PORT`]: '5432',
      [`${service}_PORT_5432_TCP_PROTO`]: 'tcp',
      [`${service}_PORT_53_UDP`]: 'udp://10.0.0.1:53',
      [`${service}_PORT_9_SCTP_ADDR`]: '10.0.0.1',
    }
    t.strictSame(findUnknownVariables(set), [], service)
    t.doesNotThrow(() => loadConfig({ environment: set }))
  }
  for (const protocol of ['udp', 'sctp'])
    t.strictSame(findUnknownVariables({ PHLIX_DB_PORT: `${protocol}://10.0.0.1:1` }), [])
  t.end()
})

void t.test('a port variable whose value is no service address is a mistyped name', (t) => {
  for (const value of ['8096', 'http://10.0.0.1', 'tcp:/10.0.0.1', ' tcp://10.0.0.1', 'x\ntcp://10.0.0.1']) {
    t.equal(findUnknownVariables({ PHLIX_SERVR_PORT: value }).length, 1, value)
  }
  t.end()
})

void t.test('names that resemble those of other programs are not accepted', (t) => {
  const near = [
    'PHLIX_PORTS',
    'PHLIX_PORT_x',
    'PHLIX_PORT_8096_TCP_ADDR_X',
    'PHLIX_DB_PORT_x_TCP',
    'PHLIX_DB_PORT_1_ICMP',
    'PHLIX__PORTS',
    'PHLIX_DB_SERVICE',
    'PHLIX_SERVICE',
    'PHLIX_BENCHES',
    'PHLIX_',
  ]
  for (const name of near) t.equal(findUnknownVariables({ [name]: 'x' }).length, 1, name)
  const long = `PHLIX_SERVICE_PORT${'_A'.repeat(50_000)}-`
  const piece = 'SERVICE_PORT_PORT_1_TCP_'
  for (const name of [long, `PHLIX_${piece.repeat(5000)}-`, `PHLIX_${piece.repeat(5000)}SERVICE_HOST`]) {
    t.strictSame(findUnknownVariables({ [name]: 'tcp://x' }), [`${name} is not a variable that is read`])
  }
  t.end()
})
