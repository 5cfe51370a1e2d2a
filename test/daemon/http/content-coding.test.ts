import t from 'tap'
import { chooseCoding, CONTENT_CODINGS } from '../../../src/daemon/http/content-coding.ts'

void t.test('the coding is the one that the client weights most, and ours of several with equal weights', async (t) => {
  const wanted: Record<string, string | undefined> = {
    'gzip, deflate, br, zstd': 'zstd',
    'gzip, deflate, br': 'br',
    'gzip, deflate': 'gzip',
    deflate: undefined,
    '': undefined,
    identity: undefined,
    'GZIP ; Q=1.0': 'gzip',
    'br;q=0.5, gzip;q=0.8': 'gzip',
    'br;q=0, gzip': 'gzip',
    'br;q=0': undefined,
    '*': 'zstd',
    '*;q=0.5, zstd;q=0': 'br',
    '*;q=0': undefined,
    'identity, gzip;q=0.5': undefined,
    'identity;q=0.5, gzip;q=0.5': 'gzip',
    'identity;q=0': undefined,
  }
  for (const [accepted, coding] of Object.entries(wanted))
    t.equal(chooseCoding(accepted, CONTENT_CODINGS), coding, accepted)
  t.equal(chooseCoding(undefined, CONTENT_CODINGS), undefined)
  t.equal(chooseCoding('zstd, gzip', ['br', 'gzip']), 'gzip', 'only what is offered')
})

void t.test('a malformed header never selects a coding that the client did not name', async (t) => {
  const malformed = [
    'br;q=',
    'br;q=-1',
    'br;q=1e9',
    'br;q=NaN',
    'br;q=0x1',
    'br;quality=1',
    'br q=1',
    ';q=1',
    'b r',
    'br\u0000',
  ]
  for (const header of malformed) t.equal(chooseCoding(header, CONTENT_CODINGS), undefined, JSON.stringify(header))
  t.equal(chooseCoding('br;q=9', CONTENT_CODINGS), undefined)
  t.equal(chooseCoding(`${','.repeat(16_000)}br`, CONTENT_CODINGS), undefined, 'only twenty entries are read')
})
